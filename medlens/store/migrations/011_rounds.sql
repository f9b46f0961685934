create table task_round (
  id text primary key, seq bigint not null default nextval('log_seq'), made_at timestamptz not null,
  task text not null, dataset text not null, revision integer not null, state text not null,
  raters {json} not null, made_by text not null, unique (task, dataset, revision));

-- Whatever could be judged before there were rounds is open to everyone.
insert into task_round (id, made_at, task, dataset, revision, state, raters, made_by)
  select distinct md5('round ' || t.task || ' of ' || i.dataset), current_timestamp, t.task,
         i.dataset, 1, 'open', cast('[]' as {json}), 'migration'
  from item i join (
    select 'error_spans' as task, 'tagging' as study, 'response' as kind
    union all select 'dialogue_realism', 'agentclinic', 'dialogue'
    union all select 'diagnosis_match', 'agentclinic', 'dialogue'
    union all select 'source_support', 'sourcecheckup', 'pair'
    union all select 'response_support', 'sourcecheckup', 'response'
    union all select 'statement_parse', 'sourcecheckup', 'response'
    union all select 'question_quality', 'sourcecheckup', 'question'
    union all select 'ebmqa_answer', 'ebmqa', 'ebmqa_question'
  ) t on t.study = i.study and t.kind = i.kind
