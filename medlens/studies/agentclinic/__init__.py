"""AgentClinic: models play doctor and patient, clinicians read, rate and check.

Schmidgall et al. 2024, "AgentClinic: a multimodal agent benchmark to evaluate AI in simulated
clinical environments": 107 cases in OSCE form and 15 with images, four agents (doctor, patient,
measurement, moderator), 12 biases of the doctor and 11 of the patient.
"""
