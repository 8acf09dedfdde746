import { defineSettings, setting } from '#settings/define'

export default defineSettings('logging', {
  type: setting.choice(
    'null',
    { choices: ['null', 'native'], nullMeans: 'null' },
    "Where the reason of a failed health check goes: native writes it to the process log on standard error, null writes it nowhere. JSON's null in the settings file means the same as the text."
  ),
  level: setting.choice(
    'info',
    { choices: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] },
    'The least serious messages that the process log still gets; silent turns it off.'
  ),
  audit_retention_days: setting.integer(
    0,
    { min: 0, max: 36_500 },
    'Events of the audit log that are older than so many days are removed by the job audit:prune; 0 keeps them.'
  ),
})
