import { readdirSync } from 'node:fs'
import { test } from '@japa/runner'
import { ESLint } from 'eslint'
// @ts-expect-error -- the configuration is plain JavaScript
import { MAY_IMPORT } from '../../../eslint.config.js'

/** Lints code as the content of this file. Returns the messages of one rule. */
async function messagesFor(
  filePath: string,
  code: string,
  rule = 'no-restricted-imports'
): Promise<string[]> {
  const [result] = await new ESLint().lintText(`${code}\n`, { filePath })
  return result.messages
    .filter((message) => message.ruleId === rule)
    .map((message) => message.message)
}

/** Imports against the order of modules, or around the only write path. */
const REFUSED: [file: string, code: string][] = [
  ['app/dns/names.ts', "import '#backends/manager'"],
  ['app/dns/names.ts', "import '../backends/manager.js'"],
  ['app/dns/names.ts', "import '@adonisjs/core'"],
  ['app/dns/names.ts', "import 'node:fs'"],
  ['app/backends/manager.ts', "import '#access/authorize'"],
  ['app/access/authorize.ts', "import '#changes/apply'"],
  ['app/changes/apply.ts', "import '#zones/directory'"],
  ['app/changes/apply.ts', "import '#controllers/support/paging'"],
  ['app/zones/directory.ts', "import '#transformers/zone'"],
  ['app/zones/directory.ts', "import '#backends/contract/write_session'"],
  ['app/zones/directory.ts', "import '../backends/contract/write_session.js'"],
  ['app/zones/directory.ts', "import '#backends/sql/session'"],
  ['app/dns/names.ts', "import '#config/dns'"],
  ['app/dns/names.ts', "import 'knex'"],
  ['app/controllers/api/zones/zones_controller.ts', "import '#backends/contract/write_session'"],
  ['app/changes/transaction/outbox.ts', "import '#background/outbox/worker'"],
  ['app/background/outbox/worker.ts', "import '#backends/contract/write_session'"],
  ['app/models/user.ts', "import '#access/actor'"],
  ['app/audit/record.ts', "import '#changes/journal/write_entry'"],
  ['app/audit/record.ts', "import '#accounts/users/named_users'"],
  ['app/access/authorize.ts', "import '#audit/record'"],
  ['app/terminal/write.ts', "import '#backends/manager'"],
  ['app/zones/directory.ts', "import '#terminal/paint'"],
  ['app/exceptions/refusal.ts', "import '#dns/errors'"],
]

const ALLOWED: [file: string, code: string][] = [
  ['app/dns/names.ts', "import '#dns/errors'"],
  ['app/backends/manager.ts', "import '#dns/types'"],
  ['app/changes/apply.ts', "import '#backends/contract/write_session'"],
  ['app/zones/directory.ts', "import '#changes/apply'"],
  ['app/controllers/api/zones/zones_controller.ts', "import '#zones/directory'"],
  ['app/background/outbox/worker.ts', "import '#changes/transaction/outbox'"],
  ['app/exceptions/handler.ts', "import '#dns/errors'"],
  ['app/exceptions/audited_refusals.ts', "import '#audit/refused_calls'"],
  ['app/changes/submit.ts', "import '#audit/record'"],
]

/** Code that would write records without a change set. */
const SECOND_WAYS = [
  'export const a = (backend: any) => backend.write((s: any) => s.applyRRsets())',
  'export const a = (x: any) => x.write(async function () {})',
  "export const a = (db: any) => db.from('records').delete()",
  "export const a = (db: any) => db.table('domains').insert({})",
]

test.group('Imports between modules', (group) => {
  group.each.timeout(30_000)

  test('every folder of app/ is a module with import rules', ({ assert }) => {
    const folders = readdirSync(new URL('../../../app', import.meta.url))
    assert.sameMembers(folders, Object.keys(MAY_IMPORT))
  })

  for (const code of SECOND_WAYS) {
    test(`no second way to write a record exists: ${code}`, async ({ assert }) => {
      assert.lengthOf(await messagesFor('app/zones/directory.ts', code, 'no-restricted-syntax'), 1)
    })
  }

  for (const [file, code] of REFUSED) {
    test(`${file} may not ${code}`, async ({ assert }) => {
      assert.isNotEmpty(await messagesFor(file, code))
    })
  }

  for (const [file, code] of ALLOWED) {
    test(`${file} may ${code}`, async ({ assert }) => {
      assert.deepEqual(await messagesFor(file, code), [])
    })
  }
})
