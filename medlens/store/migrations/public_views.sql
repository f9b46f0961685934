-- The public schema: six views for SQL, the same on DuckDB and PostgreSQL. Their columns are promised:
-- new ones come last, none goes or changes its type (tests/store/test_public_views.py). In braces is
-- what differs between the engines (migrations/__init__.py).

create or replace view items as
  select i.id as item_id, i.study, coalesce(n.called, i.dataset) as dataset, i.kind as item_kind,
    coalesce(
      (select min(a.name) from item_alias a where a.item = i.id and a.preferred), i.name) as item,
    i.illustrative, i.made_at as added_at, coalesce(v.body, i.body)::{json} as body,
    coalesce(v.version, 1)::integer as version, w.made_at as withdrawn_at,
    w.reason as withdrawn_reason
  from item i
  left join (
    select item, version, body, row_number() over (partition by item order by version desc) as last
    from item_version) v on v.item = i.id and v.last = 1
  left join (
    select item, made_at, reason, withdrawn, undone,
      row_number() over (partition by item order by revision desc) as last
    from item_withdrawal) w on w.item = i.id and w.last = 1 and w.withdrawn
  left join (
    select study, dataset, called,
      row_number() over (partition by study, dataset order by revision desc) as last
    from renaming where kind = 'dataset') n
    on n.study = i.study and n.dataset = i.dataset and n.last = 1
  where not coalesce(w.undone, false);

create or replace view raters as
  select r.id as rater_id, r.handle as rater_handle, r.name as rater, r.kind as rater_kind,
    r.origin as rater_origin, coalesce(o.role, 'reviewer') as role,
    coalesce(x.excluded, false) as excluded, r.made_at as added_at
  from rater r
  left join (
    select rater, role, row_number() over (partition by rater order by revision desc) as last
    from rater_role) o on o.rater = r.id and o.last = 1
  left join (
    select rater, excluded, row_number() over (partition by rater order by revision desc) as last
    from exclusion where task = '') x on x.rater = r.id and x.last = 1;

-- As judgment_told and judgment_of_passes (views.sql) have it, which only DuckDB can read.
create or replace view judgments as
  -- What is asked of one item, task or rater goes down to the tables: their columns partition.
  select t.judgment_id, i.study, t.task, i.dataset, t.item as item_id, i.item, t.rater as rater_id,
    r.rater_handle, r.rater, r.rater_kind, t.revision, t.pass_number, t.blind, t.withdrawn,
    t.blind and t.withdrawn = '' and row_number() over (
      partition by t.task, t.item, t.rater, t.pass_number, t.blind, t.withdrawn
      order by t.place desc) = 1 as stands,
    t.origin, t.guideline, t.active_seconds, t.idle_seconds, t.judged_at, t.run_id,
    t.prompt_version, t.value, t.item_version
  from (
    select coalesce(f.id, j.id) as judgment_id, j.task, j.item, j.rater, j.revision as place,
      (case when f.id is null
            then j.revision - count(f.id) over (
              partition by j.task, j.item, j.rater order by j.revision)
            else f.revision end)::integer as revision,
      coalesce(j.pass, 1) as pass_number, j.blind,
      case when p.item is not null then 'practice'
           when a.rater is not null or b.rater is not null then 'excluded'
           when j.seq < c.seq then 'returned'
           when w.item is not null then 'item'
           when coalesce(j.version, 1) < v.version then 'corrected'
           else '' end as withdrawn,
      j.origin, j.guideline, j.active_seconds, j.idle_seconds, j.made_at as judged_at,
      j.run as run_id, j.prompt as prompt_version, j.body::{json} as value,
      coalesce(j.version, 1)::integer as item_version
    from judgment j
    join item k on k.id = j.item
    left join (
      select id, revision, md5('parts ' || id) as whole from judgment where not complete) f
      on f.whole = j.id
    left join (
      select task, item from (
        select task, item, active, body,
          row_number() over (partition by task, item order by revision desc) as last
        from gold) g
      where last = 1 and active and {is_practice}) p on p.task = j.task and p.item = j.item
    left join (
      select rater from (
        select rater, excluded,
          row_number() over (partition by rater order by revision desc) as last
        from exclusion where task = '') x
      where last = 1 and excluded) a on a.rater = j.rater
    left join (
      select rater, task, dataset from (
        select rater, task, dataset, excluded,
          row_number() over (partition by rater, task, dataset order by revision desc) as last
        from exclusion where task <> '') x
      where last = 1 and excluded) b
      on b.rater = j.rater and b.task = j.task and b.dataset = k.dataset
    left join (
      select task, item, rater, max(seq) as seq from remark
      where kind = 'return' and not counts group by task, item, rater) c
      on c.task = j.task and c.item = j.item and c.rater = j.rater
    left join (
      select item from (
        select item, withdrawn, row_number() over (partition by item order by revision desc) as last
        from item_withdrawal) s
      where last = 1 and withdrawn) w on w.item = j.item
    left join (
      select item, max(version) as version from item_version where not counts group by item) v
      on v.item = j.item
    where j.complete or not exists (
      select 1 from judgment w where w.id = md5('parts ' || j.id) and w.complete)) t
  join items i on i.item_id = t.item
  join raters r on r.rater_id = t.rater;

create or replace view marks as
  select j.judgment_id, j.study, j.task, j.dataset, j.item_id, j.item, j.rater_id, j.rater_handle,
    j.rater, j.rater_kind, j.revision, j.pass_number, j.blind, j.withdrawn, j.stands,
    s.place::integer as mark_number, (s.mark ->> 'start')::integer as starts_at,
    (s.mark ->> 'end')::integer as ends_at, s.mark ->> 'quote' as quote,
    s.mark -> 'labels' as labels, s.mark ->> 'comment' as comment, s.mark as mark
  from judgments j, {marks_of_value} as s(mark, place);

create or replace view consensus as
  select c.study, i.dataset, c.task, c.subject as item_id, i.item, r.entry ->> 'variable' as variable,
    r.entry ->> 'answer' as answer, (r.entry ->> 'votes')::integer as votes,
    (r.entry ->> 'n')::integer as n, (r.entry ->> 'cannot_tell')::integer as cannot_tell,
    (r.entry ->> 'adjudicated')::boolean as adjudicated, r.entry ->> 'reason' as reason,
    d.computed_at
  from (
    select *, row_number() over (
      partition by study, dataset, task, subject order by seq desc) as last
    from computation where kind = 'consensus') c
  join items i on i.item_id = c.subject
  join (
    select study, dataset, max(made_at) as computed_at from computation where kind = 'done'
    group by study, dataset) d on d.study = c.study and d.dataset = c.dataset,
  {entries_of_body} as r(entry)
  where c.last = 1;

create or replace view figures as
  select c.study, coalesce(n.called, c.dataset) as dataset, c.subject as figure, r.entry ->> 'group' as group_name,
    (r.entry ->> 'numerator')::double precision as numerator,
    (r.entry ->> 'denominator')::bigint as denominator,
    (r.entry ->> 'value')::double precision as value, (r.entry ->> 'low')::double precision as low,
    (r.entry ->> 'high')::double precision as high, (r.entry ->> 'n')::bigint as n,
    (r.entry ->> 'p')::double precision as p, r.entry ->> 'method' as method,
    r.entry ->> 'speaks_for' as speaks_for, d.computed_at
  from (
    select *, row_number() over (partition by study, dataset, subject order by seq desc) as last
    from computation where kind = 'figures') c
  join (
    select study, dataset, max(made_at) as computed_at from computation where kind = 'done'
    group by study, dataset) d on d.study = c.study and d.dataset = c.dataset
  left join (
    select study, dataset, called,
      row_number() over (partition by study, dataset order by revision desc) as last
    from renaming where kind = 'dataset') n
    on n.study = c.study and n.dataset = c.dataset and n.last = 1,
  {entries_of_body} as r(entry)
  where c.last = 1;

comment on view items is 'What is judged, one row per item.';
comment on column items.item_id is 'the item''s id';
comment on column items.study is 'the study''s name';
comment on column items.dataset is 'the dataset''s name';
comment on column items.item_kind is 'what kind of item it is';
comment on column items.item is 'the item''s name';
comment on column items.illustrative is 'made up for a demo';
comment on column items.added_at is 'when it was added (UTC)';
comment on column items.body is 'its content as last corrected, as JSON';
comment on column items.version is 'counts its corrections from 1, the item as it was added';
comment on column items.withdrawn_at is
  'when a lead withdrew it (UTC): nobody is given it, and nothing said of it counts; empty: it is in play';
comment on column items.withdrawn_reason is 'why it was withdrawn';

comment on view raters is 'People and models, one row each.';
comment on column raters.rater_id is 'the id of the person or model';
comment on column raters.rater_handle is 'identifies the rater in all files';
comment on column raters.rater is 'the name of the person or model';
comment on column raters.rater_kind is 'person or model';
comment on column raters.rater_origin is 'how they came: app, oidc, import, demo or model';
comment on column raters.role is 'reviewer or lead';
comment on column raters.excluded is 'whether a lead has excluded all of their work';
comment on column raters.added_at is 'when they were added (UTC)';

comment on view judgments is 'Every revision of every judgment; figures use those where stands is true.';
comment on column judgments.judgment_id is 'the judgment''s id';
comment on column judgments.study is 'the study''s name';
comment on column judgments.task is 'the task''s name';
comment on column judgments.dataset is 'the dataset''s name';
comment on column judgments.item_id is 'the item''s id';
comment on column judgments.item is 'the item''s name';
comment on column judgments.rater_id is 'the id of the person or model';
comment on column judgments.rater_handle is 'identifies the rater in all files';
comment on column judgments.rater is 'the name of the person or model';
comment on column judgments.rater_kind is 'person or model';
comment on column judgments.revision is 'counts the rater''s judgments of the item from 1';
comment on column judgments.pass_number is
  '2 if the item came again, to see whether the rater agrees with themselves';
comment on column judgments.blind is
  'made before others'' judgments and the model''s verdict were shown; figures use no others';
comment on column judgments.withdrawn is
  'why it does not count: practice (a practice item), excluded (a lead excluded the rater''s work), returned (a lead returned it to be made anew), item (its item is withdrawn), corrected (its item was corrected since and is asked again); empty: it counts';
comment on column judgments.stands is
  'whether figures use it: the rater''s last blind judgment that is not withdrawn';
comment on column judgments.origin is 'where it was made: the app, a file, a run';
comment on column judgments.guideline is 'the version of the guideline that it was made under';
comment on column judgments.active_seconds is 'seconds of work on it, without pauses';
comment on column judgments.idle_seconds is 'seconds of pauses';
comment on column judgments.judged_at is 'when it was made (UTC)';
comment on column judgments.run_id is 'of a model: the run that made it';
comment on column judgments.prompt_version is 'of a model: the version of the prompt';
comment on column judgments.value is 'the whole answer, as JSON';
comment on column judgments.item_version is 'the version of the item that it was made on';

comment on view marks is 'Marked passages, one row per mark, of every revision.';
comment on column marks.judgment_id is 'the judgment''s id';
comment on column marks.study is 'the study''s name';
comment on column marks.task is 'the task''s name';
comment on column marks.dataset is 'the dataset''s name';
comment on column marks.item_id is 'the item''s id';
comment on column marks.item is 'the item''s name';
comment on column marks.rater_id is 'the id of the person or model';
comment on column marks.rater_handle is 'identifies the rater in all files';
comment on column marks.rater is 'the name of the person or model';
comment on column marks.rater_kind is 'person or model';
comment on column marks.revision is 'counts the rater''s judgments of the item from 1';
comment on column marks.pass_number is
  '2 if the item came again, to see whether the rater agrees with themselves';
comment on column marks.blind is
  'made before others'' judgments and the model''s verdict were shown; figures use no others';
comment on column marks.withdrawn is
  'why it does not count: practice (a practice item), excluded (a lead excluded the rater''s work), returned (a lead returned it to be made anew), item (its item is withdrawn), corrected (its item was corrected since and is asked again); empty: it counts';
comment on column marks.stands is
  'whether figures use it: the rater''s last blind judgment that is not withdrawn';
comment on column marks.mark_number is 'counts the marks of the judgment from 1';
comment on column marks.starts_at is
  'its first character, counted from 0 in Unicode code points; empty: its place is unknown';
comment on column marks.ends_at is 'the character after its last';
comment on column marks.quote is 'the marked words';
comment on column marks.labels is 'the ids of its labels, as a JSON array';
comment on column marks.comment is 'what the rater wrote about it';
comment on column marks.mark is 'the whole mark, as JSON';

comment on view consensus is 'The consensus as last computed, one row per item and measured variable.';
comment on column consensus.study is 'the study''s name';
comment on column consensus.dataset is 'the dataset''s name';
comment on column consensus.task is 'the task''s name';
comment on column consensus.item_id is 'the item''s id';
comment on column consensus.item is 'the item''s name';
comment on column consensus.variable is 'the measured variable of the task';
comment on column consensus.answer is
  'the adjudicator''s answer, otherwise that of the clear majority; empty: there is none';
comment on column consensus.votes is 'how many people gave the answer';
comment on column consensus.n is 'how many people answered';
comment on column consensus.cannot_tell is 'how many of the n said that they cannot tell';
comment on column consensus.adjudicated is 'whether an adjudicator has decided';
comment on column consensus.reason is 'the adjudicator''s reason';
comment on column consensus.computed_at is 'when the dataset was last computed (UTC)';

comment on view figures is 'The figures of each dataset as last computed, one row per figure and group.';
comment on column figures.study is 'the study''s name';
comment on column figures.dataset is 'the dataset''s name';
comment on column figures.figure is 'the figure''s name';
comment on column figures.group_name is 'what it is of: a model, a label, …';
comment on column figures.numerator is 'of a share: how many';
comment on column figures.denominator is 'of a share: of how many';
comment on column figures.value is
  'the figure; shares are from 0 to 1; empty: the method says why it is undefined';
comment on column figures.low is
  'the lower end of its interval (95% unless the method says otherwise)';
comment on column figures.high is 'the upper end of its interval';
comment on column figures.n is
  'how many units it is based on: items unless the method says otherwise';
comment on column figures.p is 'the p value, if the method tests something';
comment on column figures.method is 'how it was computed, or why it is undefined';
comment on column figures.speaks_for is
  'whom it speaks for: raters like those who judged, or these alone; empty: it is not of people''s judgments';
comment on column figures.computed_at is 'when the dataset was last computed (UTC)';
