import { NETWORK_FORMS, parseNetwork } from '#dns/addresses/networks'
import { defineSettings, setting } from '#settings/define'

export default defineSettings('webhooks', {
  allowed_networks: setting.stringList(
    [],
    { isItem: (text: string) => parseNetwork(text) !== undefined, says: NETWORK_FORMS },
    'Networks that webhooks may call beside public addresses. Private, loopback, link-local and other special addresses are refused unless they are named here.'
  ),
  allow_http: setting.boolean(
    false,
    'Whether webhooks may have http URLs. What they carry could be read on the way; they are signed in any case.'
  ),
  timeout: setting.integer(
    10,
    { min: 1, max: 60, unit: 'seconds' },
    'How long one attempt may take, from the look-up of the name to the end of the answer.'
  ),
  give_up_hours: setting.integer(
    72,
    { min: 1, max: 8_760, unit: 'hours' },
    'A delivery is tried for so long; then the next one of its zone goes out. It can still be replayed.'
  ),
  retention_days: setting.integer(
    30,
    { min: 1, max: 3_650, unit: 'days' },
    'How long deliveries that have ended are kept for the log and for replays.'
  ),
})
