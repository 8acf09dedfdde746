import { defineSettings, setting } from '#settings/define'

export default defineSettings('history', {
  retention_days: setting.integer(
    0,
    { min: 0, max: 36_500 },
    'Entries of the history that are older than so many days are removed by the job history:prune; 0 keeps them.'
  ),
  min_entries: setting.integer(
    100,
    { min: 1, max: 1_000_000_000, unit: 'entries' },
    'So many of the newest entries of each zone stay, however old they are.'
  ),
})
