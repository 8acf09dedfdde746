import { defineSettings, setting } from '#settings/define'

export default defineSettings('history', {
  retention_days: setting.integer(
    0,
    { min: 0, max: 36_500 },
    'Age at which the job history:prune deletes history entries; 0 for never.'
  ),
  min_entries: setting.integer(
    100,
    { min: 1, max: 1_000_000_000, unit: 'entries' },
    'Number of newest entries of each zone that are never deleted.'
  ),
})
