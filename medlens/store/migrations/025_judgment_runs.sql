-- Which run and which version of its prompt a model's judgment is from (null: a person's, or not
-- known); and which judgment holds what a verdict says: one that repeats the judgment before it made
-- none of its own.
alter table judgment add column run text;
alter table judgment add column prompt text;
alter table verdict add column judgment text;

-- A verdict and the judgment that it makes are saved together, the verdict first: so a judgment is
-- from the verdict right before it, of the same model on the same item. What lies apart from it in
-- time, or came with a file, stays empty.
update judgment set run = made.run, prompt = made.prompt from (
  select id, verdict_run as run, verdict_prompt as prompt from (
    select id, origin, made_at, is_judgment,
           lag(is_judgment) over place as after_judgment, lag(made_at) over place as verdict_at,
           lag(run) over place as verdict_run, lag(prompt) over place as verdict_prompt
    from (
      select v.id, v.seq, v.made_at, v.origin, v.task, v.subject as item, v.judge, v.run, v.prompt,
             0 as is_judgment
      from verdict v where v.usable
      union all
      select j.id, j.seq, j.made_at, j.origin, j.task, j.item, r.name as judge, j.run, j.prompt,
             1 as is_judgment
      from judgment j join rater r on r.id = j.rater where r.kind = 'model') said
    window place as (partition by task, item, judge order by seq)) beside
  where is_judgment = 1 and after_judgment = 0 and origin = 'model'
    and made_at >= verdict_at - interval '10 seconds'
    and made_at <= verdict_at + interval '10 seconds') made
where judgment.id = made.id;

update verdict set judgment = told.judgment from (
  select beside.id, j.id as judgment from (
    select id, is_judgment,
           case when lead(is_judgment) over place = 1 and lead(run) over place = run
                     and lead(prompt) over place = prompt then lead(seq) over place
                -- The judgment after it might be its own, or not.
                when lead(is_judgment) over place = 1 and lead(origin) over place = 'model'
                then null
                else max(case when is_judgment = 1 then seq end) over place end as at
    from (
      select v.id, v.seq, v.origin, v.task, v.subject as item, v.judge, v.run, v.prompt,
             0 as is_judgment
      from verdict v where v.usable
      union all
      select j.id, j.seq, j.origin, j.task, j.item, r.name as judge, j.run, j.prompt,
             1 as is_judgment
      from judgment j join rater r on r.id = j.rater where r.kind = 'model') said
    window place as (partition by task, item, judge order by seq)) beside
  join judgment j on j.seq = beside.at
  where is_judgment = 0) told
where verdict.id = told.id
