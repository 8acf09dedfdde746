import { defineSettings, setting } from '#settings/define'

export default defineSettings('dnssec', {
  enabled: setting.boolean(
    false,
    'Allows signing and key management through the PowerDNS API (pdns_api). Reading works without it.'
  ),
})
