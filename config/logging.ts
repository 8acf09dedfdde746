import { defineSettings, setting } from '#settings/define'

export default defineSettings('logging', {
  type: setting.choice(
    'null',
    { choices: ['null', 'native'], nullMeans: 'null' },
    'Destination for the reason of a failed health check. native: the process log on standard error. null: none. JSON null in the settings file is the same.'
  ),
  level: setting.choice(
    'info',
    { choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] },
    'Minimum level of messages in the process log; silent disables it.'
  ),
  audit_retention_days: setting.integer(
    0,
    { min: 0, max: 36_500 },
    'Age at which the job audit:prune deletes events of the audit log; 0 for never.'
  ),
})
