"""Error tagging: experts mark the errors in GPT-4's wrong answers to USMLE questions.

Roy et al. 2024, "Beyond Accuracy: Investigating Error Types in GPT-4 Responses to USMLE Questions"
(G4UE): 300 responses, 44 experts, 7 error and 2 non-error categories.
"""
