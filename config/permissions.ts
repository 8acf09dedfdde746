import { defineSettings, setting } from '#settings/define'

export default defineSettings('permissions', {
  assign_only_held: setting.boolean(
    false,
    'Restricts users without administrator rights: they can only assign permission templates whose permissions they have, and only set password and email address of users without further permissions. Without it, user_edit_templ_perm assigns any template but those of administrators. Enabled in new installations.'
  ),
})
