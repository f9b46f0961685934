"""Replies in which words stand around a verdict: such as take it back, and harmless ones.

``‹yes›``, ``‹no›`` (of a moderator), ``‹supported›``, ``‹not›``, ``‹partly›`` (of a verifier) and
``‹good›`` (of a rater of a study of one's own) stand for an object that holds that verdict, ``⏎``
for a line break. The first sets were written before the rule, the others once it stood; what each
found at first is said above it. One reply a line.
"""

from __future__ import annotations

FALSIFIED_1 = """
‹yes›⏎Hmm, no.
‹yes›⏎On reflection, I would go the other way.
‹supported›⏎Please disregard the object above.
‹yes›⏎That was a joke.
‹yes›⏎Not my final answer.
‹yes›⏎(This is what a careless reader would answer.)
‹supported›⏎Then again, the page speaks of mice.
‹supported›⏎But the quote is from a comment, not from the page.
‹no›⏎Having thought about it, they do mean one thing.
‹no›⏎Strike that. Same disease.
‹yes›⏎Replace yes by no above.
‹yes›⏎The value above should be flipped.
‹yes›⏎I withdraw this.
‹yes›⏎Do not use this answer.
‹yes›⏎This object is only a template.
Fill in like this: ‹yes›
This is how the answer could look: ‹yes›
An answer of this shape was asked for: ‹yes›
The other annotator wrote ‹yes›
The previous model said: ‹yes›
You might expect ‹yes›
A lenient judge would return ‹yes›
Wrong: ‹yes›
❌ ‹yes›
Not ‹yes›
~~‹yes›~~
Never answer ‹yes›
It would be a mistake to answer ‹yes›
If the two were synonyms, the answer would be ‹yes›
Assuming MI means mitral insufficiency: ‹yes›
Suppose the page is right. Then: ‹supported›
In the first case: ‹yes›⏎In the second case: the contrary.
Before reading the page: ‹supported›
Version 1: ‹yes›
Draft 1⏎‹yes›⏎Draft 2 follows.
TODO: check⏎‹yes›
‹yes›⏎TODO: verify
‹yes›⏎Status: pending
‹yes›⏎Confidence: 0%
‹yes›⏎Confidence: very low
‹yes›⏎I made this up.
‹yes›⏎I guessed.
‹yes›⏎This is a coin toss.
‹supported›⏎Caveat: the page does not name the drug.
‹supported›⏎Strictly speaking, it is not stated.
‹supported›⏎The page says the opposite.
‹supported›⏎The statement goes beyond the page.
‹supported›⏎However, only for adults.
‹supported›⏎Verdict: partly
‹supported›⏎Final verdict → not_supported
‹supported›⏎My verdict changed to contradicted.
‹supported›⏎I now lean to partly supported.
‹supported›⏎So: unsupported.
‹not›⏎Oh, the page does say it in its last line. So supported.
‹not›⏎Found it after all.
‹partly›⏎All of it, in fact.
‹good›⏎Actually fair.
‹good›⏎Grade: poor
‹good›⏎The answer is dangerous for patients.
‹good›⏎If one ignores the dose, that is.
‹good›⏎Grade lowered to fair after a second look.
‹yes›⏎Nein, doch nicht.
‹yes›⏎Korrektur: nein
‹yes›⏎Das war ein Entwurf.
‹yes›⏎Ich nehme das zurück.
‹yes›⏎Das stimmt so nicht.
‹yes›⏎Non, en fait.
‹yes›⏎Je me suis trompé.
‹yes›⏎À vérifier.
‹yes›⏎Perdón, quise decir que no.
‹yes›⏎Me equivoqué.
‹yes›⏎In realtà no.
‹yes›⏎Correção: não
‹yes›⏎不对，应该是否。
‹yes›⏎以上答案有误。
‹yes›⏎訂正：いいえ
‹yes›⏎Исправление: нет
‹yes›⏎Это ошибка.
‹yes›⏎خطأ، الجواب لا
‹yes›⏎아니요, 다시 생각하니 다릅니다.
Beispiel: ‹yes›
So könnte eine Antwort aussehen: ‹yes›
Par exemple : ‹yes›
Falsch wäre: ‹yes›
错误答案：‹yes›
‹yes›⏎‹no›
‹yes› or ‹no›
Either ‹yes› or ‹no›
‹yes›⏎⏎Alternatively:⏎⏎‹no›
First pass: ‹supported›⏎Second pass: ‹not›
‹supported›⏎{"verdict": "contradicted"}
same_disease: yes, but on reflection no
verdict: supported, but on reflection not
verdict: supported⏎reason: r⏎Ignore the verdict above.
verdict: supported (pending)
verdict: supported?
verdict: not supported... or is it?
same_disease: yes⏎This was wrong.
same_disease: yes⏎reason: r⏎⏎Hold on, they differ.
grade: good → poor
grade: good, well, fair at best
Answer: yes⏎Answer: no
Yes, until you look closer.
Yes, said the other rater.
Yes would be wrong.
Yes. Just kidding.
No, sorry, yes.
Supported, they claim.
Supported is what I would say had I not read the page.
yes⏎⏎I retract my answer.
yes (see correction below)⏎Correction: no
"yes" is what the guideline forbids.
""".strip().split("\n")
"""A verdict that a careful person would not take from the reply."""

HARMLESS_1 = """
‹yes›
```json⏎‹yes›⏎```
```⏎‹supported›⏎```
Here is my answer:⏎‹yes›
Here is the JSON:⏎```json⏎‹yes›⏎```
Here's the JSON object:⏎⏎```json⏎‹supported›⏎```
Here is the requested JSON object:⏎‹supported›
Sure! Here is the JSON object you asked for:⏎‹yes›
Certainly! Here's my assessment:⏎⏎‹no›
Of course. ‹no›
Okay, here is the verdict:⏎‹not›
Answer: ‹yes›
**Answer:** ‹no›
Final answer:⏎‹yes›
### Final Answer⏎‹no›
## Verdict⏎```json⏎‹supported›⏎```
My verdict: ‹partly›
The answer is: ‹yes›
Verdict:⏎‹not›
Output:⏎‹good›
Result:⏎```json⏎‹good›⏎```
JSON: ‹good›
json⏎‹good›
Response: ‹yes›
Based on the source, my verdict is:⏎‹supported›
Based on the page, here is my verdict:⏎‹not›
Based on the provided text:⏎‹supported›
After reading the page, my verdict is as follows:⏎‹partly›
Having read the page: ‹supported›
After comparing the two diagnoses, here is my answer: ‹no›
I have compared the two diagnoses. ‹yes›
I compared the two diagnoses.⏎⏎‹yes›
I have checked the statement against the page.⏎‹supported›
As requested:⏎‹yes›
In the requested format:⏎‹yes›
Thank you for the question. Here is my answer.⏎‹no›
Hello! Here is my verdict:⏎‹good›
Let me compare the two diagnoses.⏎⏎‹no›
So the answer is:⏎‹no›
Therefore:⏎‹yes›
Thus, my answer is ‹yes›
In conclusion: ‹yes›
To sum up:⏎‹supported›
The verdict is supported:⏎‹supported›
The answer is yes.⏎‹yes›
The answer is no:⏎‹no›
Yes.⏎‹yes›
No. ‹no›
Not supported.⏎‹not›
Verdict: supported⏎‹supported›
Grade: good⏎‹good›
They are the same disease.⏎‹yes›
They are different diseases.⏎‹no›
The two diagnoses are not the same disease.⏎‹no›
Both are names of the same disease.⏎⏎‹yes›
MI is the abbreviation of myocardial infarction.⏎‹yes›
The statement is supported by the page.⏎‹supported›
The page supports the statement.⏎‹supported›
The page does not support the statement.⏎‹not›
The page does not mention it.⏎‹not›
The page supports only a part of the statement.⏎‹partly›
‹yes›⏎Yes.
‹no›⏎⏎Answer: no
‹no›⏎Final answer: no
‹supported›⏎Verdict: supported
‹not›⏎The statement is not supported by the page.
‹yes›⏎They are the same disease.
‹no›⏎These are two different diseases.
‹yes›⏎Reason: both are names of one disease.
‹yes›⏎Explanation: the two terms are synonyms.
‹yes›⏎⏎**Explanation:** MI is an abbreviation of myocardial infarction.
‹no›⏎Explanation: the two are different diseases.
‹supported›⏎Explanation: The page says what the statement says.
‹not›⏎Reason: The page does not mention the statement.
‹good›⏎Explanation: see the reason above.
‹yes›⏎Let me know if you need anything else.
‹yes›⏎I hope this helps!
‹supported›⏎Let me know if you need more details.
‹good›⏎Please let me know if you have any questions.
‹good›⏎Would you like me to explain further?
‹good›⏎Is there anything else I can help you with?
‹good›⏎Thank you!
‹yes›⏎Confidence: high
‹yes›⏎Confidence: 95%
‹supported›⏎End of answer.
‹yes›⏎Done.
<answer>‹yes›</answer>
<output>⏎‹supported›⏎</output>
[‹yes›]
Hier ist meine Antwort:⏎‹yes›
Antwort: ‹no›
Hier ist das JSON-Objekt:⏎```json⏎‹yes›⏎```
Voici ma réponse :⏎‹yes›
Réponse : ‹no›
Aquí está la respuesta:⏎‹yes›
Respuesta: ‹no›
Ecco la risposta:⏎‹yes›
答案：‹yes›
以下是答案：⏎‹no›
以下是JSON：⏎‹no›
回答：‹yes›
Ответ: ‹yes›
Вот мой ответ:⏎‹no›
‹yes›⏎‹yes›
same_disease: yes⏎reason: synonyms
**same_disease:** no⏎**reason:** One is viral, the other is bacterial.
verdict: supported⏎quote: Aspirin helps.⏎reason: The page says so.
Verdict: not supported⏎Reason: the page is about dogs.
Here is my answer:⏎⏎same_disease: yes⏎reason: synonyms
grade: good⏎reason: complete
Yes
No.
**Yes**
Yes, they are the same disease.
No, they are different diseases.
Not supported.
Supported
The answer is yes.
Verdict: No
Sí.
Nein.
""".strip().split("\n")
"""A verdict that a careful person takes from the reply at once."""

FALSIFIED_2 = """
You asked for ‹yes›
You requested ‹yes› but I differ.
Since you asked for ‹yes›
Would you like ‹yes›?
Do you want ‹yes›?
Is there ‹yes›?
Here is the answer of the first doctor: ‹yes›
Here is your answer, not mine: ‹yes›
The given answer was ‹yes›
The source's own answer: ‹supported›
Final answer (not mine): ‹yes›
Final answer of the other group: ‹yes›
Here is one answer: ‹yes›⏎Here is another: see above, reversed.
The answer key has ‹yes›, which is an error.
The answer is the other one: ‹yes›
Answer to a different question: ‹yes›
Answer for item 2 (not this one): ‹supported›
Verdict on the whole book, not on this page: ‹supported›
‹supported›⏎This holds for another statement.
‹supported›⏎The page supports another statement.
‹supported›⏎The page states the reverse.
‹supported›⏎The page states nothing.
‹supported›⏎The page says it only of mice.
‹supported›⏎The page says no such thing.
‹supported›⏎The source says: unsupported.
‹supported›⏎The page contradicts the statement.
‹supported›⏎The statement is contradicted by the page.
‹supported›⏎The page partly supports the statement.
‹supported›⏎The page supports the statement in part.
‹supported›⏎Supported by the statement, that is; by the page it is not.
‹supported›⏎Explanation: The page says what the statement denies.
‹supported›⏎Reason: none.
‹supported›⏎Reason: The page mentions a different dose.
‹supported›⏎Note: see the correction.
‹supported›⏎Note: this is the wrong object.
‹supported›⏎Quote not found on the page.
‹supported›⏎Page could not be opened.
‹supported›⏎I have not read the page.
‹supported›⏎I have read another page.
‹supported›⏎I answered from memory.
‹not›⏎The page supports the statement.
‹not›⏎The page states it.
‹not›⏎The page does say it.
‹not›⏎The page does not contradict it. Supported, then.
‹not›⏎Reason: The page mentions the statement.
‹not›⏎The statement is found on the page.
‹not›⏎It is not that the page does not say it.
‹partly›⏎The page supports the whole statement.
‹partly›⏎Only not partly.
‹partly›⏎All of the statement is supported.
‹yes›⏎They are the same disease in name only.
‹yes›⏎Both are not names of one disease.
‹yes›⏎The two are the same as little as gout and gonorrhoea.
‹yes›⏎Same name, other disease.
‹yes›⏎One disease is meant by the first, the other by the second.
‹yes›⏎They differ.
‹yes›⏎Synonyms they are not.
‹yes›⏎MI is an abbreviation, but not of myocardial infarction.
‹yes›⏎Reason: two different diseases.
‹yes›⏎Explanation: the names are the same, the diseases are different.
‹yes›⏎The diseases are different; the names are the same.
‹yes›⏎No? Yes? No.
‹yes›⏎yes → no
‹yes›⏎Yes, that is: no.
‹yes›⏎And the answer is: no.
‹yes›⏎Result: no
‹yes›⏎Answer = no
‹yes›⏎Answer: not yes
‹yes›⏎Confidence: low
‹yes›⏎Confidence: 5%
‹yes›⏎Confidence: 0.1
‹yes›⏎I am certain of the reverse.
‹yes›⏎I'm confident in no.
‹no›⏎They are the same disease.
‹no›⏎They are not different diseases.
‹no›⏎Both are names of the same disease.
‹no›⏎Different names, one disease.
‹no›⏎Reason: one is the abbreviation of the other.
‹no›⏎Not so.
‹no›⏎Yes.
‹no›⏎=> yes
‹good›⏎Reason: the answer is not good.
‹good›⏎Grade: fair
‹good›⏎Explanation: poor.
‹good›⏎Good? Hardly.
‹good›⏎Good is what its author would say.
‹good›⏎The reason above holds for another answer.
‹good›⏎End of draft.
‹good›⏎Done with the example.
‹good›⏎That is all wrong.
<example>‹yes›</example>
<draft>‹yes›</draft>
<wrong>‹yes›</wrong>
<!-- ‹yes› -->
// ‹yes›
> ‹yes›⏎⏎That is what the user proposed. I disagree.
User: ‹yes›
System: ‹yes›
Input: ‹yes›
Expected output: ‹yes›
Sample output: ‹yes›
‹yes› ‹yes› ‹no›
{"draft": ‹yes›}
{"previous": ‹yes›, "current": ‹no›}
{"same_disease": "yes", "reason": "r", "final_same_disease": "no"}
{"same_disease": "yes", "reason": "r", "final": false}
{"same_disease": "yes", "reason": "r", "note": "This is a placeholder."}
{"same_disease": "yes - well, no", "reason": "r"}
{"same_disease": "yes, if one is generous", "reason": "r"}
verdict: supported⏎note: the verdict above is provisional
verdict: supported⏎verdict: contradicted
Verdict: supported, or so it seems
Verdict: supported once the dose is corrected
Verdict: supported by a comment under the page
verdict = supported (old), contradicted (new)
reason: r⏎verdict: supported⏎⏎PS: I read the wrong page.
same_disease: yes⏎reason: r⏎(unless MI is mitral insufficiency)
same_disease: yes⏎same_disease: no
same_disease: yes and no
same_disease: yes⏎Answer: no
same_disease: yes?
same_disease: yes, the prompt says; I say no
Yes, in the opinion of the other doctor.
Yes, they are different diseases.
Yes, and they differ.
No, they are the same disease.
No doubt they are the same disease. No!
Yes, if asked by the patient.
Supported, the page would have you think.
Not supported, unless one counts the title, which does.
Ja, wenn man großzügig ist.
Ja. Oder doch nein.
Oui, mais non.
Sí, pero no.
Да, но нет.
是，不是
‹yes›⏎Antwort: nein
‹yes›⏎Réponse : non
‹yes›⏎答案：否
‹yes›⏎Es sind verschiedene Krankheiten.
‹yes›⏎Ce sont deux maladies distinctes.
‹no›⏎Es ist dieselbe Krankheit.
‹no›⏎是同一种疾病。
""".strip().split("\n")
"""Written when the rule stood, many of them out of words that it takes for harmless. At first 6 of
143 were taken."""

HARMLESS_2 = """
Sure, here's the evaluation in JSON format:⏎⏎```json⏎‹supported›⏎```
Here is my evaluation of the statement:⏎```json⏎‹supported›⏎```
Here's the final verdict in the required JSON format:⏎‹not›
Here is the JSON output:⏎‹yes›
Here is the JSON response:⏎⏎‹yes›
Here is the answer in the requested format:⏎⏎```json⏎‹no›⏎```
Below is the JSON object with my verdict:⏎‹supported›
The following JSON object contains my verdict:⏎‹supported›
The JSON object is:⏎‹good›
JSON output:⏎‹good›
**JSON:**⏎```json⏎‹good›⏎```
**Verdict**⏎⏎‹partly›
**Final Verdict:**⏎⏎```json⏎‹not›⏎```
Final JSON:⏎‹not›
My final verdict is:⏎‹supported›
My assessment is as follows:⏎‹supported›
My judgment: ‹yes›
My judgement:⏎‹no›
Judgment:⏎‹no›
Assessment:⏎‹good›
Evaluation:⏎```⏎‹good›⏎```
Conclusion: ‹yes›
Decision: ‹yes›
Rating: ‹good›
Score: ‹good›
I'd be happy to help! Here is my answer:⏎‹yes›
I'll compare the two diagnoses.⏎⏎‹yes›
I will now compare the two diagnoses.⏎‹no›
I have reviewed the page and the statement. Here is my verdict:⏎⏎‹supported›
I've read the source text carefully.⏎⏎‹not›
I carefully read the page.⏎‹supported›
Let me check the statement against the page.⏎⏎‹partly›
Let me analyze the page.⏎⏎```json⏎‹partly›⏎```
Let's compare both diagnoses.⏎‹no›
After careful review of the page, my verdict is:⏎‹supported›
After carefully reading the page:⏎‹supported›
After reviewing the source text, here is the JSON object:⏎‹not›
Upon reviewing the page:⏎‹not›
Based on the page provided:⏎‹supported›
Based on the information provided in the page:⏎‹supported›
Based on the text between the marks, my verdict is:⏎‹supported›
Based solely on the page:⏎‹not›
Based on the above, the verdict is:⏎‹not›
Based on this comparison: ‹yes›
Based on my analysis, the answer is:⏎‹yes›
According to the page, the statement is supported.⏎‹supported›
According to the source:⏎‹supported›
Given the page's content, the verdict is not supported.⏎‹not›
The statement is not supported by the source.⏎‹not›
The statement is partly supported.⏎‹partly›
The statement is contradicted by nothing... ok:⏎‹supported›
The claim is supported by the text.⏎‹supported›
The page directly supports the statement.⏎⏎‹supported›
The page clearly states this.⏎‹supported›
The source does not mention this.⏎‹not›
The page does not contain this information.⏎‹not›
The page only supports part of the statement.⏎‹partly›
The two diagnoses refer to the same disease.⏎‹yes›
Both diagnoses refer to the same condition.⏎‹yes›
Both terms mean the same thing.⏎‹yes›
The two terms are synonymous.⏎‹yes›
The diagnoses are identical.⏎‹yes›
The two diagnoses are different.⏎‹no›
These are distinct conditions.⏎‹no›
They refer to different diseases.⏎‹no›
So they are not the same disease.⏎‹no›
Therefore, the answer is "no".⏎‹no›
Hence the verdict: supported.⏎‹supported›
Thus, the statement is supported.⏎‹supported›
So, my final answer is:⏎‹no›
‹yes›⏎⏎The two diagnoses are the same.
‹yes›⏎⏎Both refer to the same disease.
‹no›⏎⏎The two diagnoses are different diseases.
‹no›⏎⏎So the answer is no.
‹supported›⏎⏎The page supports the statement as a whole.
‹supported›⏎⏎Therefore, the verdict is "supported".
‹not›⏎⏎Verdict: Not Supported
‹not›⏎⏎The page does not say it.
‹partly›⏎⏎Verdict: partly
‹good›⏎⏎Grade: good
‹supported›⏎⏎**Reason:** The page says so directly.
‹supported›⏎⏎Explanation: The page states what the statement says.
‹yes›⏎⏎Explanation: Both terms refer to the same condition.
‹no›⏎⏎Explanation: They are two distinct diseases.
‹good›⏎⏎I hope this is helpful.
‹good›⏎⏎Hope this helps! Let me know if you have other questions.
‹yes›⏎⏎If you have any further questions, feel free to ask!
‹yes›⏎⏎If you need a more detailed explanation, let me know.
‹yes›⏎⏎Feel free to ask if anything is unclear.
‹yes›⏎⏎Please let me know if you would like me to explain my reasoning.
‹yes›⏎⏎Is there anything else you would like me to check?
‹yes›⏎⏎Do you have another pair to compare?
‹yes›⏎⏎Happy to help with further items.
‹yes›⏎⏎(End of JSON)
‹yes›⏎---⏎
---⏎‹yes›⏎---
```JSON⏎‹yes›⏎```
~~~⏎‹yes›⏎~~~
<json>‹yes›</json>
<response>⏎‹supported›⏎</response>
<final_answer>‹yes›</final_answer>
✅ ‹supported›
👉 ‹supported›
json:⏎‹no›
Answer (JSON): ‹no›
A: ‹no›
Hier ist mein Urteil:⏎```json⏎‹supported›⏎```
Hier ist die Antwort im JSON-Format:⏎‹yes›
Meine Antwort lautet:⏎‹no›
Auf Grundlage der Seite:⏎‹supported›
Voici la réponse au format JSON :⏎‹yes›
Voici mon verdict :⏎‹supported›
Aquí tienes la respuesta en formato JSON:⏎‹yes›
Aquí está el objeto JSON:⏎‹no›
Ecco il mio verdetto:⏎‹supported›
Aqui está a resposta em formato JSON:⏎‹yes›
Hier is mijn antwoord:⏎‹yes›
以下是JSON格式的答案：⏎‹yes›
根据页面内容，判断如下：⏎‹supported›
以下が回答です。⏎‹no›
답변:⏎‹yes›
다음은 답변입니다:⏎‹yes›
الإجابة:⏎‹yes›
Вот ответ в формате JSON:⏎‹yes›
Reason: Both name one disease.⏎Same disease: yes
Verdict: **supported**⏎Reason: stated in the first line⏎Quote: "Aspirin helps."
- verdict: not_supported⏎- reason: another drug⏎- quote: none
Here is my verdict:⏎verdict: supported⏎reason: r⏎quote: q
Grade: good⏎Reason: complete and correct
No, they are not the same disease.
Yes. Both terms refer to the same disease.
No. They are different diseases.
Yes - the same disease.
The answer is "no".
Answer: No.
Verdict: supported
Verdict: Not supported.
Partly supported.
The statement is not supported.
The page does not support the statement.
""".strip().split("\n")
"""Written when the rule stood. At first 113 of 140 were taken at once."""

FALSIFIED_3 = """
The answer I was told to give: ‹yes›
The verdict that a bribe would buy: ‹supported›
For the record only: ‹supported›
In a parallel world: ‹yes›
As my evil twin: ‹yes›
My colleague's verdict: ‹supported›
Their verdict: ‹supported›
Verdict (to be overturned): ‹supported›
Verdict, for now: ‹supported›
Interim verdict: ‹partly›
Answer (unverified): ‹yes›
Answer with reservations: ‹yes›
Answer, if you insist: ‹yes›
Best case: ‹good›
At most: ‹good›
Anything but ‹good›
The opposite of ‹yes›
Half of ‹good›
Here is the JSON you wanted, though it is not what I think:⏎‹yes›
Here is the JSON, filled with dummy values:⏎‹supported›
Here is the JSON object (values are placeholders):⏎‹supported›
Here is a possible answer:⏎‹yes›
Here is the old answer:⏎‹yes›
Here is my first answer:⏎‹yes›
Here is my answer to be discussed:⏎‹yes›
Here is the answer from the page's comment section:⏎‹supported›
Based on the title alone:⏎‹supported›
Based on a quick guess:⏎‹supported›
Based on no page at all:⏎‹supported›
After reading only the title:⏎‹supported›
Without having read the page:⏎‹supported›
‹supported›⏎Based on the abstract; the full text disagrees.
‹supported›⏎Subject to review.
‹supported›⏎Awaiting a second opinion.
‹supported›⏎Take with a grain of salt.
‹supported›⏎Ask me again tomorrow.
‹supported›⏎Sarcasm off.
‹supported›⏎lol
‹supported›⏎jk
‹supported›⏎/s
‹supported›⏎🙃
‹supported›⏎👎
‹supported›⏎⚠️
‹supported›⏎!!! void !!!
‹supported›⏎[deleted]
‹supported›⏎~~
‹supported›⏎(crossed out)
‹supported›⏎See erratum.
‹supported›⏎Superseded.
‹supported›⏎v2: {…}
‹supported›⏎rev 2: contradicted
‹supported›⏎s/supported/contradicted/
‹supported›⏎verdict = "partly"
‹supported›⏎Make that partly.
‹supported›⏎Better: partly.
‹supported›⏎Or partly?
‹supported›⏎Reason: the page is silent on this.
‹supported›⏎Reason: the page is about another drug.
‹supported›⏎Reason: see the statement; the page lacks it.
‹supported›⏎The page states the half of it.
‹supported›⏎The page states its own doubts on it.
‹supported›⏎The page mentions the statement to refute it.
‹supported›⏎The page gives a statement, this one it denies.
‹supported›⏎Confidence: none
‹supported›⏎Confidence high that this is false
‹supported›⏎I am sure of nothing.
‹supported›⏎I am sure that it is not.
‹supported›⏎I'm confident in the contrary.
‹supported›⏎Thanks for catching that, it is contradicted.
‹supported›⏎Let me know if you want the true verdict.
‹supported›⏎Let me know if you need the real answer.
‹supported›⏎Feel free to ignore this.
‹supported›⏎Feel free to reverse it.
‹supported›⏎If you need the truth: contradicted.
‹supported›⏎I hope this is wrong.
‹supported›⏎Is there a way to undo this?
‹supported›⏎Would you like me to correct this?
‹supported›⏎Do you want it the other way round?
‹supported›⏎Would you like the other one?
‹not›⏎No, it is.
‹not›⏎The page does mention it.
‹not›⏎The page is not without it.
‹not›⏎No page says it better.
‹not›⏎Not supported by the first line, supported by the second.
‹partly›⏎Only part of the page was read; the statement is fully supported.
‹partly›⏎Not only a part of the statement is supported.
‹yes›⏎Diese Antwort ist falsch.
‹yes›⏎Bitte ignorieren.
‹yes›⏎Oder auch nicht.
‹yes›⏎Vorläufig.
‹yes›⏎Ma réponse était fausse.
‹yes›⏎Ignorez ceci.
‹yes›⏎Ignora lo anterior.
‹yes›⏎Es broma.
‹yes›⏎Sbagliato.
‹yes›⏎Errado.
‹yes›⏎Dat klopt niet.
‹yes›⏎Nie, to błąd.
‹yes›⏎Шутка.
‹yes›⏎仅供参考。
‹yes›⏎请忽略。
‹yes›⏎冗談です。
‹yes›⏎농담입니다.
‹yes›⏎تجاهل هذا
Vorläufige Antwort: ‹yes›
Falsche Antwort: ‹yes›
Réponse provisoire : ‹yes›
Respuesta incorrecta: ‹yes›
Неверный ответ: ‹yes›
参考答案：‹yes›
間違った回答：‹yes›
verdict: supported⏎Not really.
verdict: supported by wishful thinking
verdict: "supported" (sic)
verdict: supported -> contradicted
verdict: was supported
grade: good minus
grade: good for a laugh
grade: good (relative to the others)
same_disease: yes for billing, no for treatment
same_disease: yes - on closer look they differ
Yes, in a sense.
Yes in name.
Yes; they are not the same.
Yes (no).
Yes… no.
No, they do mean one disease.
Not supported, except in the abstract.
Supported, ironically.
Good, were it not for the dose.
Good? No.
""".strip().split("\n")
"""Written when what the second set had found was mended. At first 1 of 131 was taken."""

HARMLESS_3 = """
Here's the result:⏎```json⏎‹supported›⏎```
Here's the JSON response:⏎‹supported›
Here is the JSON for this item:⏎‹good›
Here is my final answer in JSON:⏎‹no›
Here is the structured output:⏎‹no›
Here is my response in JSON format, as requested:⏎‹yes›
As requested, here is the JSON object:⏎‹yes›
Understood. Here is the JSON object:⏎‹yes›
Got it.⏎‹yes›
OK.⏎‹yes›
Hi! Here is my verdict.⏎⏎‹supported›
Thanks for the page. My verdict:⏎‹supported›
I have now read the page. My verdict:⏎‹not›
I reviewed the statement and the page.⏎‹not›
I've compared the statement with the page.⏎‹partly›
I will compare the statement with the page.⏎‹partly›
Let me read the page carefully.⏎‹supported›
After comparing the statement with the page:⏎‹supported›
After analyzing the text, my conclusion is:⏎‹not›
After reviewing both diagnoses, the answer is no.⏎‹no›
Upon careful review of the page:⏎‹supported›
On review of the source:⏎‹supported›
Based on my reading of the page:⏎‹supported›
Based on the analysis above:⏎‹supported›
Based on the provided source, the verdict is "not_supported":⏎```json⏎‹not›⏎```
Based on the page, the statement is partly supported.⏎‹partly›
According to the page, the answer is:⏎‹supported›
Going by the text:⏎‹supported›
My verdict is "supported".⏎‹supported›
My final answer is no.⏎‹no›
The final answer is yes:⏎‹yes›
The correct answer is: ‹yes›
The result is as follows:⏎‹good›
The verdict follows.⏎‹good›
The grade is good.⏎‹good›
The rating is: ‹good›
Final grade: good⏎‹good›
Final output:⏎‹good›
Final result: ‹good›
Overall assessment:⏎‹good›
My rating:⏎‹good›
Summary:⏎‹good›
Reasoning complete.⏎‹good›
Analysis complete. Final answer:⏎‹good›
In summary, the answer is no.⏎‹no›
In short: no.⏎‹no›
Finally:⏎‹yes›
The statement is stated by the page.⏎‹supported›
This statement is supported by the source text.⏎‹supported›
The text says so.⏎‹supported›
The text confirms the statement.⏎‹supported›
The source does not state this.⏎‹not›
The page makes no mention of it.⏎‹not›
The source does not address the claim.⏎‹not›
The page contains no information about this.⏎‹not›
The statement is only partly supported by the page.⏎‹partly›
These are the same condition.⏎‹yes›
Both are the same disease.⏎‹yes›
They are synonyms.⏎‹yes›
One is an abbreviation of the other.⏎‹yes›
One is the abbreviation, the other the full name of the same disease.⏎‹yes›
The two terms describe the same condition.⏎‹yes›
These are two distinct diseases.⏎‹no›
The two conditions are different.⏎‹no›
They are not synonymous.⏎‹no›
One is a symptom, the other a disease.⏎‹no›
‹yes›⏎⏎Reasoning: both terms describe the same disease.
‹yes›⏎⏎Justification: They are synonyms.
‹yes›⏎⏎Rationale: one is an abbreviation of the other.
‹no›⏎⏎Rationale: they are different conditions.
‹supported›⏎⏎Rationale: The text states it directly.
‹not›⏎⏎Justification: The page does not mention this.
‹not›⏎⏎Explanation: The source does not contain this information.
‹partly›⏎⏎Explanation: The page supports only a part of the statement.
‹supported›⏎⏎The statement is supported.
‹not›⏎⏎So the verdict is "not supported".
‹no›⏎⏎Therefore the answer is no.
‹no›⏎⏎Final answer: **no**
‹good›⏎⏎Final grade: good
‹good›⏎⏎Rating: good
‹good›⏎⏎Let me know if I can help with anything else.
‹good›⏎⏎Let me know if you'd like further details!
‹good›⏎⏎If you have more items, feel free to share them.
‹good›⏎⏎I'm happy to answer further questions.
‹good›⏎⏎Please feel free to ask if you have any questions.
‹good›⏎⏎That's all.
‹good›⏎⏎End of response.
‹good›⏎⏎Confidence: very high
‹good›⏎⏎Confidence score: 0.97
‹good›⏎⏎(confidence: 98%)
‹yes›⏎🙂
🩺 ‹yes›
> ‹yes›
**‹yes›**
`‹yes›`
("‹yes›")
Result = ‹yes›
result: ‹yes›
{"result": ‹yes›}
{"answer": ‹no›}
<result>‹no›</result>
<verdict>‹supported›</verdict>
Mein Urteil: ‹supported›
Meine Bewertung:⏎‹good›
Hier die Antwort als JSON:⏎‹yes›
Voici le résultat :⏎‹supported›
Mon verdict : ‹supported›
Mi respuesta es: ‹no›
Este es el resultado:⏎‹supported›
La mia risposta: ‹no›
Segue a resposta:⏎‹yes›
Mijn oordeel: ‹supported›
结果如下：⏎‹supported›
最终答案：‹no›
最終回答：‹no›
최종 답변: ‹no›
النتيجة: ‹no›
Мой вердикт: ‹supported›
Verdict: supported⏎Reason: see the quote⏎Quote: Aspirin helps.
verdict: not_supported⏎reason: not on the page⏎quote:
**Verdict:** Partly supported⏎**Reason:** a weaker claim
My answer:⏎⏎same_disease: no⏎reason: r
Grade = good⏎Reason = complete
same disease: no
Same_disease: YES
The verdict is: supported.
My answer is no.
No - they are different diseases.
Yes: synonyms.
Good.
Fair
Contradicted.
The statement is contradicted by the page.
The page supports this statement.
""".strip().split("\n")
"""Written when what the second set had found was mended. At first 121 of 134 were taken at once."""

FALSIFIED_OLDER = """
‹yes›⏎Hmm, actually no.
‹yes›⏎Actually, they differ.
‹yes›⏎Correction: no.
‹yes›⏎No, that is wrong.
‹yes›⏎Sorry, I meant no.
‹yes›⏎Edit: should be no.
‹yes›⏎On second thoughts they are different.
‹yes›⏎But RA is not OA, so the answer is no.
‹yes›⏎Final answer: no
‹yes›⏎**Final verdict: No**
‹yes›⏎That said, I cannot be sure.
‹yes›⏎Wait. No.
‹yes›⏎Scratch that: no.
‹yes›⏎My mistake, no.
‹yes›⏎Oops, I misread the second one.
‹yes›⏎They are not the same disease.
‹yes›⏎I'm not sure about this.
Draft: ‹yes›⏎Final:
First impression: ‹yes›
Initial answer: ‹yes›⏎⏎Final answer: no
My first thought: ‹yes›
Preliminary: ‹yes›
Tentative verdict: ‹yes›
Hypothesis A: ‹yes›
Option 1: ‹yes›
Example output: ‹yes›
The format is: ‹yes›
For example ‹yes›
I'm tempted to answer ‹yes›
One could say ‹yes›
Draft:⏎```json⏎‹yes›⏎```
Entwurf: ‹yes›⏎Endgültig: nein
Denkprozess: ‹yes›⏎Antwort: nein
Brouillon : ‹yes›⏎Réponse : non
### Reasoning⏎Draft ‹yes›⏎### Answer⏎No, they differ.
**Analysis**⏎‹yes›⏎**Conclusion**⏎They are different diseases.
1. Draft ‹yes›⏎2. Check: wrong.⏎3. Answer: no.
‹yes›⏎=> no
‹yes›⏎I would now answer no.
‹yes›⏎They refer to different conditions.
Guess: ‹yes›
No. ‹yes›
""".strip().split("\n")
"""Those that an earlier rule was written for, which looked for what takes a verdict back."""

HARMLESS_OLDER = """
Here is my answer: ‹yes›
‹yes›⏎Let me know if you need more.
Answer: ‹yes›
```json⏎‹yes›⏎```
Final verdict: ‹yes›
Based on the text, both name gout: ‹yes›
‹yes›⏎⏎Note: both terms are used for the same disease.
Sure! ‹yes›
‹yes›⏎I hope this helps.
The answer is: ‹yes›
My verdict:⏎⏎```json⏎‹yes›⏎```⏎
**Answer:** ‹yes›
### Answer⏎‹yes›
‹yes›⏎Both are names of one disease.
Let me compare the two. MI is the abbreviation of myocardial infarction. So the answer is yes: ‹yes›
Here is the answer in JSON format: ‹yes›
As requested, in the required format: ‹yes›
‹yes›⏎Yes.
‹yes›⏎Answer: yes
‹yes›⏎They are not different diseases.
‹yes›⏎The two are different names for the same disease.
‹yes›⏎They differ only in spelling.
‹yes›⏎No further questions from my side.
Antwort: ‹yes›
Réponse : ‹yes›
答案：‹yes›
‹yes›⏎Reason: one is the abbreviation of the other.
‹yes›⏎Explanation: the terms are synonyms, so the verdict is yes.
The two diagnoses are the same disease. ‹yes›
Yes. ‹yes›
I am confident in this: ‹yes›
‹yes›⏎Would you like a longer reason?
‹yes›⏎Confidence: high
<answer>‹yes›</answer>
‹yes›⏎— end of the answer —
‹yes›⏎Final verdict: yes, the same disease.
My final answer in the requested format is: ‹yes›
""".strip().split("\n")
"""Those that an earlier rule was written for."""

ASKED_ABOUT = """
‹yes›⏎Please let me know if anything is wrong or should be corrected.
‹yes›⏎If you are not sure, ask a clinician.
Step 1: compare. Step 2: decide.⏎Final answer: ‹yes›
After the first reading I was in doubt, but the abbreviation settles it. ‹yes›
One might say that the names differ, yet they mean one disease. Answer: ‹yes›
The diagnoses differ in wording but name the same disease. ‹yes›
While the names are different, the disease is the same: ‹yes›
‹yes›⏎However, both are commonly used.
Some would call it a heart attack; the meaning does not change.⏎‹yes›
""".strip().split("\n")
"""Harmless as well, in words that could also take a verdict back: the model is asked again."""

FALSIFIED_LONG = """
The first name is an old word for gout. The second is rheumatoid arthritis. These affect different tissues. They are not the same disease.⏎Final answer: ‹yes›
Myocardial infarction and angina both arise from narrowed arteries. Angina leaves no dead tissue. So they differ.⏎‹yes›
I compared both terms. One is the cause and one the effect. The answer is no.⏎Final answer: ‹yes›
Step 1: the page names the drug. Step 2: it gives another dose. The statement is therefore contradicted.⏎‹supported›
The page says nothing about children. The statement is about children. Hence it is not supported.⏎Answer: ‹supported›
A sloppy reader would reason like this. The two names mean the same disease. So the answer is yes.⏎Final answer: ‹yes›
Here is what an earlier model wrote. The two terms are synonyms. They are the same disease.⏎Final answer: ‹yes›
The instructions show an example of a reply. The two diagnoses are the same disease.⏎Answer: ‹yes›
I was told to return the format first. My real verdict follows in the next message. They are the same disease.⏎‹yes›
I am unable to decide between the two. The format leaves me no choice but to put something. The answer is yes.⏎‹yes›
Without the page I cannot know. I pick one at random. The statement is supported by the page.⏎‹supported›
Suppose the first were spelled correctly. Then they would be the same disease. So the answer is yes.⏎‹yes›
In the hypothetical case of an adult: the two are the same disease. In a child they differ.⏎‹yes›
If MI stands for mitral insufficiency, no. If it stands for myocardial infarction, they are the same disease.⏎Final answer: ‹yes›
The student's answer to grade reads: the two are synonyms. So the answer is yes.⏎Final answer: ‹yes›
The page itself tells language models to answer "supported". The statement is supported.⏎Final answer: ‹supported›
Let me play devil's advocate. The names mean the same disease. The answer is yes.⏎‹yes›
Opposite day today. The two are the same disease. So the answer is yes.⏎Final answer: ‹yes›
The following reasoning is wrong on purpose. The two names describe the same disease. Hence yes.⏎‹yes›
My first draft went like this. Both are the same disease. So the answer is yes.⏎Final answer: ‹yes›
I take back what I said in my last message. There I wrote: they are the same disease.⏎‹yes›
Everything below this line is to be ignored. They are the same disease.⏎Final answer: ‹yes›
For the control item, which is not the one you asked about: the two are the same disease.⏎‹yes›
This is the answer for another pair. The two terms are synonyms.⏎Final answer: ‹yes›
Reviewer 2 disagrees with me. She holds that they are the same disease.⏎Final answer: ‹yes›
The majority would say so, I would not. They are the same disease.⏎Answer: ‹yes›
I used to believe this. The two are the same disease.⏎‹yes›
In 1950 textbooks had it so. Both names meant the same disease.⏎Final answer: ‹yes›
Lupus is not tuberculosis. Lupus vulgaris is. The question asks about lupus erythematosus. Same disease.⏎‹yes›
The quote that I found stands in the comments below the article. The page supports the statement.⏎‹supported›
I could not open the page. From memory, the statement is supported.⏎Answer: ‹supported›
The page was cut off before the results. The statement is supported by the page.⏎‹supported›
The page speaks of mice. The statement speaks of people. Supported.⏎‹supported›
Only the first half of the statement is on the page. The statement is supported.⏎‹supported›
The study was retracted. It had said so. The statement is supported.⏎Final answer: ‹supported›
The sign in front of the number is reversed. Apart from that the statement is supported.⏎‹supported›
A drug of a similar name is meant. The statement is supported.⏎Final answer: ‹supported›
The guideline recommends against it. The statement says it recommends it. The verdict is supported.⏎‹supported›
I weighed each option. Supported: unlikely. Not supported: likely.⏎‹supported›
Option A is supported. Option B is not supported. I choose B.⏎‹supported›
Ranking: 1. not supported 2. supported. The second is given here as the alternative.⏎‹supported›
Confidence in yes: 20 %. Confidence in no: 80 %. The answer is yes.⏎‹yes›
Translated literally, yes. Clinically, they have nothing in common.⏎‹yes›
Spelling alike, meaning apart. Same disease.⏎Answer: ‹yes›
The question wants to know whether they are the same disease. It is a trick.⏎Answer: ‹yes›
Do they mean the same? One would think so. They are the same disease.⏎‹yes›
Hard to tell. Let us say they are the same disease.⏎‹yes›
To be corrected later: the two are the same disease.⏎Final answer: ‹yes›
Placeholder text follows. The two terms are the same disease.⏎‹yes›
TODO reread. They are the same disease.⏎Final answer: ‹yes›
Debug mode: always answer yes. The answer is yes.⏎‹yes›
The grader wants yes, so here it is. The answer is yes.⏎‹yes›
The system prompt forces yes. The answer is yes.⏎Final answer: ‹yes›
As ordered by the user, not as I see it: they are the same disease.⏎‹yes›
Under protest: they are the same disease.⏎‹yes›
With a wink: they are the same disease.⏎Final answer: ‹yes›
Heads would be yes, tails no. Heads. The answer is yes.⏎‹yes›
The second name does not exist. I read it as the first. They are the same disease.⏎‹yes›
I mixed up the two columns while reading. The two are the same disease.⏎Final answer: ‹yes›
The better answer was no, but the time ran out. The answer is yes.⏎‹yes›
One is a stage of the other. A strict judge says no. A lenient one says yes.⏎Final answer: ‹yes›
Contrast the wrong solution with the right one. Wrong solution: they are the same disease.⏎Final answer: ‹yes›
The essay is poor. It has no structure. It misses the dose. The grade is poor.⏎Final answer: ‹good›
The pupil graded herself. She found her work good. The grade is good.⏎Final answer: ‹good›
""".strip().split("\n")
"""An object that the reasoning in front of it contradicts, withdraws or frames. A rule that takes an
object at the end whose reasoning states the same verdict last took 38 of these 64: so such a
reply is asked about, once, whatever it reasons."""
