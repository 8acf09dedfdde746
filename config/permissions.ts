import { defineSettings, setting } from '#settings/define'

export default defineSettings('permissions', {
  assign_only_held: setting.boolean(
    false,
    'Restricts users without administrator rights: they can only assign permission templates whose permissions they have, and only set password and email address of users without further permissions. Without it, users with user_edit_templ_perm can assign any template except those of administrators. Enabled in new installations.'
  ),
})
