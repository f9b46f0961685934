-- Whether what was answered to earlier versions of the row still counts; null: nobody said it of the
-- row, only of the items that show it (item_version).
alter table corrected_row add column counts boolean
