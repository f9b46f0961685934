alter table ebmqa_question add column evidence {json}
