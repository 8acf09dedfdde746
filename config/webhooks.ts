import { NETWORK_FORMS, parseNetwork } from '#dns/addresses/networks'
import { defineSettings, setting } from '#settings/define'

export default defineSettings('webhooks', {
  allowed_networks: setting.stringList(
    [],
    { isItem: (text: string) => parseNetwork(text) !== undefined, says: NETWORK_FORMS },
    'Networks that webhooks may call in addition to public addresses. Private, loopback, link-local and other special addresses are refused unless listed.'
  ),
  allow_http: setting.boolean(
    false,
    'Allows http URLs for webhooks. Their content is signed, but not encrypted.'
  ),
  timeout: setting.integer(
    10,
    { min: 1, max: 60, unit: 'seconds' },
    'Timeout for one attempt, from the DNS lookup to the end of the answer.'
  ),
  give_up_hours: setting.integer(
    72,
    { min: 1, max: 8_760, unit: 'hours' },
    'Time after which a failing delivery is abandoned, and the next delivery of its zone is sent. An abandoned delivery can be repeated manually.'
  ),
  retention_days: setting.integer(
    30,
    { min: 1, max: 3_650, unit: 'days' },
    'Age at which finished deliveries are deleted.'
  ),
})
