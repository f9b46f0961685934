-- Some items come again later, for agreement of raters with themselves: 2 is that second pass, null
-- the first.
alter table judgment add column pass integer
