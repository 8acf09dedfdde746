import { defineSettings, setting } from '#settings/define'

export default defineSettings('dnssec', {
  enabled: setting.boolean(
    false,
    'Whether zones can be signed and unsigned, and their DNSSEC keys changed, through the PowerDNS API (pdns_api). Reading works without it.'
  ),
})
