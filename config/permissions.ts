import { defineSettings, setting } from '#settings/define'

export default defineSettings('permissions', {
  assign_only_held: setting.boolean(
    false,
    'Whether nobody but administrators assigns a permission template that grants what they do not hold themselves, or sets the password or e-mail address of a user who holds such. Off, user_edit_templ_perm assigns any template that makes no administrator. New installations have it on.'
  ),
})
