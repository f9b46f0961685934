create or replace view item_withdrawn as
  select * exclude (last) from (
    select *, row_number() over (partition by item order by revision desc) as last
    from item_withdrawal)
  where last = 1 and withdrawn;

-- Every item as its last version has it, withdrawn or not: for the history, for imports, and for
-- whoever had an item before it was withdrawn. One whose import was undone is as if it never came.
create or replace view item_known as
  select i.id, i.seq, i.made_at, i.study, i.kind, i.dataset, i.name,
         coalesce(v.digest, i.digest) as digest, coalesce(v.body, i.body) as body, i.illustrative,
         coalesce(v.version, 1) as version, w.made_at as withdrawn_at, w.reason as withdrawn_reason
  from item i
  left join (
    select item, max(version) as version, arg_max(body, version) as body,
           arg_max(digest, version) as digest
    from item_version group by item) v on v.item = i.id
  left join item_withdrawn w on w.item = i.id
  where not coalesce(w.undone, false);

-- Items in play: what is handed out, counted, compared or listed comes from here, or from item_now,
-- which has the names that people gave them. Nothing else reads the table.
create or replace view item_in_play as
  select * exclude (withdrawn_at, withdrawn_reason) from item_known where withdrawn_at is null;

create or replace view item_named as
  select i.* replace (coalesce(a.name, i.name) as name)
  from item_known i left join (
    select item, min(name) as name from item_alias where preferred group by item) a on a.item = i.id;

create or replace view item_now as
  select id, seq, study, kind, dataset, name, body, digest, illustrative
  from item_named where withdrawn_at is null;

-- What leads corrected in rows of a study's own tables, by the row's id.
create or replace view corrected_row_now as
  select subject, arg_max(body, version) as body, max(version) as version,
         max(seq) filter (not counts) as meant_since
  from corrected_row group by subject;

-- What was imported and undone: it is as if it had never come.
create or replace view undone_now as select item from item_withdrawn where undone;

create or replace view item_further_now as
  select item, arg_max(body, seq) as body from item_further group by item;

create or replace view rater_now as
  select r.id, r.handle, r.kind, r.name, r.email, r.origin, coalesce(x.role, 'reviewer') as role
  from rater r left join (
    select rater, arg_max(role, revision) as role from rater_role group by rater) x on x.rater = r.id;

create or replace view exclusion_now as
  select * exclude (last) from (
    select *, row_number() over (partition by rater, task, dataset order by revision desc) as last
    from exclusion)
  where last = 1 and excluded;

create or replace view gold_now as
  select * exclude (last) from (
    select *, row_number() over (partition by task, item order by revision desc) as last from gold)
  where last = 1 and active;

create or replace view practice_now as
  select task, item from gold_now where json_exists(body, '$."@practice"');

-- Both passes of the judgments that count.
create or replace view judgment_of_passes as
  select j.* from judgment j
  anti join practice_now p on p.task = j.task and p.item = j.item
  anti join (select rater from exclusion_now where task = '') a on a.rater = j.rater
  anti join (
    select x.rater, x.task, i.id as item from exclusion_now x join item i on i.dataset = x.dataset
    where x.task <> ''
    -- Grouped, it is taken for small, as it is, and nobody looks up all judgments in a table.
    group by all) b
    on b.rater = j.rater and b.task = j.task and b.item = j.item
  anti join (
    select task, item, rater, max(seq) as seq from remark where kind = 'return' and not counts
    group by all) c
    on c.task = j.task and c.item = j.item and c.rater = j.rater and j.seq < c.seq
  anti join item_withdrawn w on w.item = j.item
  anti join (
    select item, max(version) as version from item_version where not counts group by item) v
    on v.item = j.item and coalesce(j.version, 1) < v.version;

-- Judgments that count: all but those of practice items, those of withdrawn items, those of an
-- earlier version of an item that asks for them again, those of raters whose work a lead has
-- excluded, those that a lead has returned to be made anew and does not count until then, and second
-- passes. Whatever counts, compares or shows judgments reads this or one of the two views on it; only
-- a rater's own desk, imports, the history and the check of the store read the table.
create or replace view judgment_counted as
  select * from judgment_of_passes where coalesce(pass, 1) = 1;

-- Second passes: only agreement of raters with themselves reads them.
create or replace view judgment_again as
  select * from judgment_of_passes where pass = 2 and blind
  qualify row_number() over (partition by task, item, rater order by revision desc) = 1;

create or replace view judgment_now as
  select * from judgment_counted
  qualify row_number() over (partition by task, item, rater order by revision desc) = 1;

create or replace view judgment_blind as
  select * from judgment_counted where blind
  qualify row_number() over (partition by task, item, rater order by revision desc) = 1;

-- Labels and their parts, when two files brought them, are one revision: that of the labels. In
-- ``row_id`` is the id of the row that holds it whole.
create or replace view judgment_told as
  select j.* replace (
           coalesce(f.id, j.id) as id,
           (case when f.id is null
                 then j.revision - count(f.id) over (
                        partition by j.task, j.item, j.rater order by j.revision)
                 else f.revision end)::integer as revision),
         j.id as row_id
  from judgment j
  left join (
    select id, revision, md5('parts ' || id) as whole from judgment where not complete) f
    on f.whole = j.id
  where j.complete or md5('parts ' || j.id) not in (select id from judgment where complete);

create or replace view draft_now as
  select * from draft
  qualify row_number() over (partition by task, item, rater order by revision desc) = 1;

-- What an adjudicator decided of an earlier version whose meaning has changed since is no word on it;
-- nor is what was withdrawn (040_withdrawn_decisions.sql).
create or replace view adjudication_now as
  select * from (
    select a.* from adjudication a
    anti join (
      select item, max(version) as version from item_version where not counts group by item) v
      on v.item = a.item and coalesce(a.version, 1) < v.version
    qualify row_number() over (partition by task, item order by revision desc) = 1)
  where not coalesce(withdrawn, false);

create or replace view survey_now as
  select * from survey
  qualify row_number() over (partition by form, rater order by revision desc) = 1;

create or replace view task_setting_now as
  select * from task_setting
  qualify row_number() over (partition by task, dataset order by revision desc) = 1;

create or replace view task_round_now as
  select * from task_round
  qualify row_number() over (partition by task, dataset order by revision desc) = 1;

-- What leads have put away (036_archiving.sql).
create or replace view archived_now as
  select * exclude (last) from (
    select *, row_number() over (
      partition by kind, study, dataset, name order by revision desc) as last
    from archiving)
  where last = 1 and archived;

-- What leads call things now that had another name at first (039_renaming.sql).
create or replace view renamed_now as
  select * exclude (last) from (
    select *, row_number() over (
      partition by kind, study, dataset, name order by revision desc) as last
    from renaming)
  where last = 1;

create or replace view open_code_now as
  select * from open_code
  qualify row_number() over (partition by item, rater order by revision desc) = 1;

create or replace view assignment_now as
  select a.id, a.seq, a.made_at, a.task, a.item, a.rater, a.slot, a.generation, a.gold,
         greatest(a.lease_until, coalesce(e.lease_until, a.lease_until)) as lease_until,
         coalesce(e.state, 'open') as state, coalesce(e.reason, '') as reason,
         j.item is not null as judged
  from assignment a
  left join (
    select task, item, rater, max(lease_until) as lease_until,
           arg_max(kind, seq) as state, arg_max(reason, seq) as reason
    -- What a lead was given to answer for a key keeps its state.
    from assignment_event where kind <> 'key' group by task, item, rater) e
    on e.task = a.task and e.item = a.item and e.rater = a.rater
  left join (select distinct task, item, rater from judgment) j
    on j.task = a.task and j.item = a.item and j.rater = a.rater;

-- Models and runs (002_models.sql) -----------------------------------------------------------

create or replace view run_item_now as
  select * from run_item
  qualify row_number() over (partition by run, job order by revision desc) = 1;

create or replace view remote_batch_now as
  select * from remote_batch
  qualify row_number() over (partition by run, name, digest order by seq desc) = 1;

create or replace view run_now as
  select r.id, r.seq, r.made_at, r.study, r.kind, r.config, r.digest, r.made_by,
         coalesce(e.kind, 'new') as state, coalesce(e.reason, '') as reason,
         coalesce(e.made_at, r.made_at) as seen_at, e.body as counts,
         coalesce(i.done, 0) as done, coalesce(i.failed, 0) as failed,
         coalesce(c.calls, 0) as calls, coalesce(c.cost, 0) as cost,
         coalesce(c.unpriced, 0) as unpriced
  from run r
  left join (
    select run, arg_max(kind, seq) as kind, arg_max(reason, seq) as reason,
           arg_max(made_at, seq) as made_at, arg_max(body, seq) as body
    from run_event where kind <> 'asked' group by run) e on e.run = r.id
  left join (
    select run, count(*) filter (outcome <> 'error') as done,
           count(*) filter (outcome = 'error') as failed
    from run_item_now group by run) i on i.run = r.id
  left join (
    select run, count(*) as calls, sum(cost) as cost, count(*) filter (cost is null) as unpriced
    from completion group by run) c on c.run = r.id;

create or replace view attempt_all as
  select request, repeat, run, name, attempt, status, error_class, seconds, made_at
  from completion_attempt
  union all
  select request, repeat, run, name, attempts, 200, '', seconds, made_at
  from completion where route = 'call' and finish_reason <> 'http_400';

-- SourceCheckup (003_sourcecheckup.sql) -------------------------------------------------------

-- Questions, answers and statements as they were last corrected.
create or replace view sc_question_told as
  select q.* replace (coalesce(c.body->>'$.question', q.question) as question,
                      coalesce(c.body->>'$.source_group', q.source_group) as source_group,
                      coalesce(c.body->>'$.answer', q.answer) as answer,
                      coalesce(c.body->>'$.document', q.document) as document,
                      coalesce(c.body->>'$.document_url', q.document_url) as document_url)
  from sc_question q left join corrected_row_now c on c.subject = q.id
  anti join undone_now u on u.item = q.id;

create or replace view sc_response_told as
  select r.* replace (coalesce(c.body->>'$.response', r.response) as response,
                      coalesce(c.body->>'$.model', r.model) as model)
  from sc_response r left join corrected_row_now c on c.subject = r.id
  anti join undone_now u on u.item = r.id;

create or replace view sc_statement_told as
  select s.* replace (coalesce(c.body->>'$.statement', s.statement) as statement)
  from sc_statement s left join corrected_row_now c on c.subject = s.id
  anti join undone_now u on u.item = s.id;

-- An answer whose statements were all taken back has yet to be split into statements.
create or replace view sc_parse_told as
  select p.* from sc_parse p left join (
    select s.response, bool_and(w.item is not null) as gone
    from sc_statement s left join item_withdrawn w on w.item = s.id group by s.response) t
    on t.response = p.response
  where not coalesce(t.gone, false);

-- What leads say of a page stands over what the fetch found (010_outcomes.sql).
create or replace view sc_outcome_now as
  select * from sc_outcome
  qualify row_number() over (partition by source order by revision desc) = 1;

-- What differs behind # alone is one source: nothing behind it is ever sent to a server.
create or replace view sc_cited as
  select * replace (coalesce(nullif(split_part(url, '#', 1), ''), url) as url) from sc_citation;

create or replace view sc_source_told as
  select s.* replace (coalesce(o.outcome, s.outcome) as outcome,
                      coalesce(nullif(split_part(s.url, '#', 1), ''), s.url) as url),
         s.outcome as fetched,
         coalesce(o.revision, 0) as told, coalesce(o.reason, '') as told_why,
         coalesce(r.name, o.made_by, '') as told_by, o.made_at as told_at
  from sc_source s left join sc_outcome_now o on o.source = s.id
  left join rater r on r.id = o.made_by
  anti join undone_now u on u.item = s.id;

-- The text of a snapshot: a long one is kept in pieces (014_source_parts.sql).
create or replace view sc_source_text as
  select s.id, coalesce(p.text, s.text) as text from sc_source s left join (
    select source, string_agg(text, '' order by n) as text from sc_source_part group by source) p
    on p.source = s.id;

create or replace view sc_source_now as
  select * from sc_source_told
  qualify row_number() over (partition by dataset, url order by revision desc, seq desc) = 1;

-- Answers and statements in play: an answer is withdrawn with its question, a statement with its
-- answer.
create or replace view sc_response_now as
  select r.* from sc_response_told r anti join item_withdrawn w on w.item = r.id
  anti join item_withdrawn q on q.item = r.question;

create or replace view sc_statement_now as
  select s.* from sc_statement_told s semi join sc_response_now r on r.id = s.response
  anti join item_withdrawn w on w.item = s.id;

create or replace view sc_pair as
  select id, seq, dataset, name, body->>'$.statement' as statement, body->>'$.response' as response,
         coalesce(nullif(split_part(body->>'$.url', '#', 1), ''), body->>'$.url') as url,
         body->>'$.source' as source
  from item_in_play where study = 'sourcecheckup' and kind = 'pair';

-- Stores of before hold such addresses as pairs of their own: the first of them (same) is the pair,
-- and of what one rater said of several the last word counts.
create or replace view sc_pair_same as
  select *, first_value(id) over (partition by dataset, statement, url order by seq) as same
  from sc_pair;

create or replace view sc_site_now as
  select * from sc_site
  qualify row_number() over (partition by dataset, site order by revision desc) = 1;

create or replace view sc_recheck_now as
  select * from sc_recheck
  qualify row_number() over (partition by cleanup, rater order by revision desc) = 1;

-- Verdicts of judges (009_verdicts.sql): the newest that can be used, else the newest -----------

create or replace view verdict_now as
  select d.* from verdict d
  anti join (select item, max(seq) as seq from item_version where not counts group by item) v
    on v.item = d.subject and d.seq < v.seq
  qualify row_number() over (
    partition by task, dataset, subject, judge order by usable desc, seq desc) = 1;

-- EBMQA (004_ebmqa.sql) ----------------------------------------------------------------------
-- outcome: 0 answered, 1 idk, 2 refused, 3 parse_failed, 4 error; chosen: bit n is option n.

-- Questions as they were last corrected. A question whose meaning changed has a new number from then
-- on (seq), so that nothing that was answered to its earlier meaning is an answer to it.
create or replace view ebmqa_question_told as
  select q.* replace (
           coalesce(c.meant_since, q.seq) as seq,
           coalesce(c.body->>'$.kind', q.kind) as kind,
           coalesce(c.body->>'$.qa_type', q.qa_type) as qa_type,
           coalesce(c.body->>'$.question', q.question) as question,
           coalesce(c.body->'$.options', q.options) as options,
           coalesce(c.n_options, q.n_options) as n_options,
           coalesce(c.correct, q.correct) as correct,
           coalesce(bit_count(c.correct), q.n_correct)::integer as n_correct,
           case when json_exists(c.body, '$.source') then c.body->>'$.source' else q.source end as source,
           case when json_exists(c.body, '$.target') then c.body->>'$.target' else q.target end as target,
           case when json_exists(c.body, '$.background') then c.body->>'$.background' else q.background end as background,
           case when json_exists(c.body, '$.source_type') then c.body->>'$.source_type' else q.source_type end as source_type,
           case when json_exists(c.body, '$.target_type') then c.body->>'$.target_type' else q.target_type end as target_type,
           case when json_exists(c.body, '$.background_type') then c.body->>'$.background_type' else q.background_type end as background_type,
           case when json_exists(c.body, '$.subject_type') then c.body->>'$.subject_type' else q.subject_type end as subject_type,
           case when json_exists(c.body, '$.disciplines') then c.body->>'$.disciplines' else q.disciplines end as disciplines,
           case when json_exists(c.body, '$.discipline') then c.body->>'$.discipline' else q.discipline end as discipline,
           case when json_exists(c.body, '$.prevalence') then c.body->>'$.prevalence' else q.prevalence end as prevalence,
           case when json_exists(c.body, '$.length') then c.body->>'$.length' else q.length end as length,
           case when json_exists(c.body, '$.answer') then c.body->>'$.answer' else q.answer end as answer,
           case when json_exists(c.body, '$.stratum') then c.body->>'$.stratum' else q.stratum end as stratum,
           case when json_exists(c.body, '$.words') then (c.body->>'$.words')::integer else q.words end as words,
           case when json_exists(c.body, '$.value') then (c.body->>'$.value')::double else q.value end as value,
           case when json_exists(c.body, '$.evidence') then nullif(c.body->'$.evidence', 'null') else q.evidence end as evidence,
           case when c.body is null then q.digest else md5(coalesce(c.body->>'$.question', q.question) || chr(31)
             || '[' || list_aggregate(list_transform(from_json(coalesce(c.body->'$.options', q.options), '["VARCHAR"]'),
                lambda x: to_json(x)::varchar), 'string_agg', ', ') || ']' || chr(31) || coalesce(c.correct, q.correct)) end as digest),
         q.seq as place, coalesce(c.version, 1) as version
  from ebmqa_question q
  left join (
    select *, (body->>'$.correct')::integer as correct,
           json_array_length(body->'$.options')::integer as n_options
    from corrected_row_now) c on c.subject = q.id
  anti join (select dataset, name from item_withdrawn where study = 'ebmqa' and undone) u
    on u.dataset = q.dataset and u.name = q.name;

-- The id that a question has, or would have, as an item (ids_times_and_json.stable_id).
create or replace view ebmqa_question_item as
  select id as row,
         h[1:8] || '-' || h[9:12] || '-5' || h[14:16] || '-'
           || '89ab'[(('0x' || h[17])::integer & 3) + 1] || h[18:20] || '-' || h[21:32] as item
  from (
    select id, sha1(from_hex('5f0c2a526d9e5b7a9a3e6d65646c656e') || encode(
             'item' || chr(31) || 'ebmqa' || chr(31) || dataset || chr(31) || name)) as h
    from ebmqa_question);

-- Every number that a question has had; answers name it.
create or replace view ebmqa_question_number as
  select seq as number, id, dataset, name from ebmqa_question
  union all
  select c.seq, q.id, q.dataset, q.name from corrected_row c join ebmqa_question q on q.id = c.subject
  where not c.counts;

create or replace view ebmqa_question_now as
  select q.* from ebmqa_question_told q anti join (
    select dataset, name from item_withdrawn where study = 'ebmqa') w
    on w.dataset = q.dataset and w.name = q.name;

-- The same as long as nothing was corrected, which is read in two thirds of the time.
create or replace view ebmqa_question_uncorrected as
  select q.*, q.seq as place, 1 as version from ebmqa_question q anti join (
    select dataset, name from item_withdrawn where study = 'ebmqa') w
    on w.dataset = q.dataset and w.name = q.name;

create or replace view ebmqa_model_answer as
  select a.question, b.dataset, b.rater, 'model' as rater_kind, b.prompt, b.repeat, a.outcome,
         a.chosen, a.block, a.said
  from ebmqa_answer a join ebmqa_answer_block b on b.number = a.block;

create or replace view ebmqa_person_answer as
  select q.seq as question, q.dataset, j.rater, 'person' as rater_kind, p.prompt, 1 as repeat,
         case when p.mask = 0 then 1 else 0 end as outcome, p.mask as chosen,
         null::bigint as block, null::integer as said
  from judgment_blind j
  join rater r on r.id = j.rater and r.kind = 'person'
  join item_in_play i on i.id = j.item
  join ebmqa_question_told q on q.dataset = i.dataset and q.name = i.name,
  lateral (
    select coalesce(list_sum(list_transform(
             from_json(j.body -> '$.answer', '["INTEGER"]'), lambda x: 1 << x)), 0)::integer as first,
           coalesce(list_sum(list_transform(
             from_json(j.body -> '$.guess', '["INTEGER"]'), lambda x: 1 << x)), 0)::integer as guess) m,
  lateral (
    select 'person' as prompt, m.first as mask
    union all
    select 'person-guess', case when m.first = 0 then m.guess else m.first end
    where m.first <> 0 or m.guess <> 0) p
  where j.task = 'ebmqa_answer';

create or replace view ebmqa_answer_all as
  select * from ebmqa_model_answer union all select * from ebmqa_person_answer;

-- What an import can have brought, as long as it is in play: items, and what studies keep otherwise.
create or replace view thing_in_play as
  select id, seq, study, dataset, name from item_in_play where kind <> 'question_set'
  union all
  select id, seq, 'sourcecheckup', dataset, name from sc_statement_now
  union all
  select id, seq, 'sourcecheckup', dataset, name from sc_response_now where outcome <> 'ok'
  union all
  select s.id, s.seq, 'sourcecheckup', s.dataset, s.url from sc_source_told s
  anti join item_withdrawn w on w.item = s.id
  union all
  select i.item, q.place, 'ebmqa', q.dataset, q.name from ebmqa_question_now q
  join ebmqa_question_item i on i.row = q.id
  anti join item_in_play t on t.id = i.item;

-- What a lead sees as the items of a dataset.
create or replace view listed_in_play as
  select id, study, dataset from item_in_play where kind <> 'question_set'
  union all
  select i.item, 'ebmqa', q.dataset from ebmqa_question_now q
  join ebmqa_question_item i on i.row = q.id
  anti join item_in_play t on t.id = i.item;

-- What leads corrected: items, and questions, of which only some are items.
create or replace view correction_told as
  select v.id, v.seq, v.made_at, v.item, i.name, i.study, i.dataset, v.version, v.counts, v.reason,
         v.made_by
  from item_version v join item_named i on i.id = v.item where i.study <> 'ebmqa'
  union all
  select c.id, c.seq, c.made_at, i.item, q.name, 'ebmqa', q.dataset, c.version, c.counts, c.reason,
         c.made_by
  from corrected_row c join ebmqa_question q on q.id = c.subject
  join ebmqa_question_item i on i.row = q.id where c.counts is not null;

-- The audit log (007_audit.sql): what is noted for it alone, and facts that are kept anyway. --------

create or replace view audit as
  select e.id, e.seq, e.made_at, e.kind, e.who, e.about, e.body->>'$.detail' as detail
  from audit_event e
  union all
  select l.id, l.seq, l.made_at, 'import', l.made_by, l.file,
         l.kind || case l.dataset when '' then '' else ' into ' || l.dataset end || ': ' || l.added || ' added, ' || l.known || ' known, '
         || l.refused || ' refused'
  from import_log l
  union all
  select u.id, u.seq, u.made_at, 'import', u.made_by, l.file,
         'undone: ' || u.removed || ' removed, ' || u.withdrawn || ' withdrawn: ' || u.reason
  from import_undone u join import_log l on l.id = u.import
  union all
  select x.id, x.seq, x.made_at, 'role', x.made_by, r.name, x.role
  from rater_role x join rater r on r.id = x.rater
  union all
  select t.id, t.seq, t.made_at, 'settings', t.made_by, t.task || ' of ' || t.dataset,
         array_to_string(list_sort(json_keys(t.body)), ', ')
  from task_setting t
  union all
  select v.id, v.seq, v.made_at, 'reveal', v.rater, v.task, i.name
  from reveal v join item_named i on i.id = v.item join rater r on r.id = v.rater
  -- The demo's people are shown nothing; theirs would push out what happened.
  where r.origin <> 'demo'
  union all
  select o.id, o.seq, o.made_at, 'outcome', o.made_by, s.url,
         o.was || ' to ' || o.outcome || ': ' || o.reason
  from sc_outcome o join sc_source s on s.id = o.source
  union all
  select g.id, g.seq, g.made_at, 'round', g.made_by, g.task || ' of ' || g.dataset,
         case when g.state = 'closed' then 'closed'
              when json_array_length(g.raters) = 0 then 'open to everyone'
              else 'open to ' || coalesce((
                select string_agg(r.name, ', ' order by r.name) from rater r
                where json_contains(g.raters, to_json(r.id))), 'nobody') end
  from task_round g where g.made_by <> 'migration'
  union all
  select x.id, x.seq, x.made_at, 'exclusion', x.made_by, r.name,
         case when x.excluded then 'excluded from ' else 'returned to ' end
         || case when x.task = '' then 'everything' else x.task || ' of ' || x.dataset end
         || ': ' || x.reason
  from exclusion x join rater r on r.id = x.rater
  union all
  select g.id, g.seq, g.made_at, 'guideline', g.made_by, g.task || ' of ' || g.dataset,
         'version ' || g.version
  from guideline g where g.made_by <> ''
  union all
  select m.id, m.seq, m.made_at, 'return', m.made_by, r.name,
         i.name || ' of ' || m.task || case when m.counts then '' else ', not counted until then' end
         || ': ' || m.body
  from remark m join rater r on r.id = m.rater join item_named i on i.id = m.item
  where m.kind = 'return'
  union all
  select n.id, n.seq, n.made_at, 'invitation', n.made_by,
         case n.task when '' then 'the team' else n.task || ' of ' || n.dataset end,
         'made for ' || n.uses || case n.uses when 1 then ' person' else ' people' end
         || case n.note when '' then '' else ': ' || n.note end
  from invitation n
  union all
  select e.id, e.seq, e.made_at, 'invitation', e.made_by,
         case n.task when '' then 'the team' else n.task || ' of ' || n.dataset end,
         case e.kind when 'use' then 'accepted' when 'revoke' then 'revoked'
                     else 'access of ' || coalesce(r.name, e.rater) || ' taken back' end
         || case n.note when '' then '' else ': ' || n.note end
  from invitation_event e join invitation n on n.id = e.invitation
  left join rater r on r.id = e.rater
  union all
  select c.id, c.seq, c.made_at, 'completion', c.made_by, r.name,
         case when c.kind = 'given' then 'given' else 'refused' end
         || ' for ' || c.task || ' of ' || c.dataset || ': ' || c.reason
  from completion_event c join rater r on r.id = c.rater where c.kind in ('given', 'refused')
  union all
  select w.id, w.seq, w.made_at, 'withdrawal', w.made_by, w.name,
         case when w.withdrawn then 'withdrawn from ' else 'returned to ' end || w.dataset
         || ': ' || w.reason
  from item_withdrawal w
  -- What an import takes back or brings back is one entry, that of the import.
  where not coalesce(w.undone, false) and w.made_by <> 'import'
  union all
  select a.id, a.seq, a.made_at, 'archive', a.made_by,
         case a.kind when 'dataset' then a.dataset when 'round' then a.name || ' of ' || a.dataset
                     else 'run ' || a.name end,
         case when a.archived then a.kind || ' archived' else a.kind || ' brought back' end
         || case a.reason when '' then '' else ': ' || a.reason end
  from archiving a
  union all
  select n.id, n.seq, n.made_at, 'rename', n.made_by,
         case n.kind when 'dataset' then n.dataset when 'round' then n.name || ' of ' || n.dataset
                     else 'run ' || n.name end,
         n.kind || ' called ' || n.called
  from renaming n
  union all
  select v.id, v.seq, v.made_at, 'correction', v.made_by, v.name,
         'version ' || v.version || case when v.counts then ', judgments still count'
                                         else ', judgments are asked for again' end
         || ': ' || v.reason
  from correction_told v
