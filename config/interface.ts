import { defineSettings, setting } from '#settings/define'

export default defineSettings('interface', {
  add_reverse_record: setting.boolean(
    true,
    'Whether writing an A or AAAA record may write the matching PTR record too, when the caller asks for it.'
  ),
  show_pdns_status: setting.boolean(
    false,
    'Whether a web interface shows the status of the name server. GET /server/status does not depend on it.'
  ),
})
