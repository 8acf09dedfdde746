import type { I18n } from '@adonisjs/i18n'
import interfaceSettings from '#config/interface'
import { COMMENT_LIMIT } from '#dns/zonefile/index'

/** Texts of the editor's script, by their keys in `editor.*`. */
const TEXTS = [
  ...['name', 'type', 'ttl', 'priority', 'content', 'comment', 'disabled', 'ttl_default'],
  ...['ttl_wrong', 'priority_wrong'],
  ...['ptr', 'with_ptr', 'kept_as', 'example', 'trap'],
  ...['edit', 'copy', 'delete', 'revert', 'done', 'cancel'],
  ...['changes_one', 'sets_one'],
  ...['unreachable', 'signed_out', 'sign_in', 'not_answered', 'draft_stays', 'retry'],
]

/** Texts with the name of a record, which the script inserts. */
const TEXTS_WITH_NAME = [
  'edit_named',
  'copy_named',
  'delete_named',
  'revert_named',
  'done_named',
  'cancel_named',
]

/** The texts and values of the editor's script, in the language of the user. */
export function editorTexts(i18n: I18n): Record<string, string> {
  const text = (name: string, values = {}) => [name, i18n.t(`editor.${name}`, values)] as const
  return Object.fromEntries([
    ...TEXTS.map((name) => text(name)),
    ...TEXTS_WITH_NAME.map((name) => text(name, { name: '{name}', type: '{type}' })),
    text('changes_many', { changes: '{changes}' }),
    text('sets_many', { sets: '{sets}' }),
    text('ttl_stays', { value: '{value}' }),
    text('priority_stays', { value: '{value}' }),
    ['ptr_off', String(!interfaceSettings.add_reverse_record)],
    ['comment_limit', String(COMMENT_LIMIT)],
  ])
}
