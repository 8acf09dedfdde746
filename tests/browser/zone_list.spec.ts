import { test } from '@japa/runner'
import { caller, makeRecord, makeZone, type Caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people'
import { Visitor, type Look } from '#tests/support/browser/browser'

const LOOKS: Record<string, Look> = {
  light: {},
  dark: { theme: 'dark' },
  phone: { width: 390, height: 844 },
}

let admin: Person
let as: Caller
let word: string

/** Somebody at a page. */
async function at(path: string, look: Look = {}): Promise<Visitor> {
  const visitor = await Visitor.arrive(look)
  await visitor.signIn(admin)
  await visitor.page.goto(path)
  return visitor
}

const named = (label: string) => `${label}.${word}.test`

test.group('The list of zones', (group) => {
  group.each.setup(async (t) => {
    admin = await administrator()
    as = caller(t.context.client, admin)
    word = unique('w').slice(0, 10).toLowerCase()
    const { id } = await makeZone(as, { name: named('alpha') })
    await makeRecord(as, { id, name: named('alpha') }, {
      name: 'mail',
      type: 'TXT',
      content: `"v=spf1 ${'include:spf.mail.example.net '.repeat(8)}-all"`,
    })
    for (const label of ['beta', 'gamma', 'delta', `${'long-label-'.repeat(5)}x`, 'xn--bcher-kva']) {
      await makeZone(as, { name: named(label) })
    }
    await makeZone(as, { name: `2.${word}.in-addr.arpa`, type: 'NATIVE' })
  })

  for (const [name, look] of Object.entries(LOOKS)) {
    test(`every state of it is sound, ${name}`, async ({ assert }) => {
      const visitor = await at('/zones', look)
      const { page } = visitor
      const visits: [file: string, path: string][] = [
        ['zones', `/zones?q=${word}`],
        ['zones-columns', `/zones?q=${word}&columns=id,owners&sort=type:desc`],
        ['zones-search', `/zones?q=${encodeURIComponent(`zone:${named('alpha')} type:TXT`)}`],
        ['zones-unreadable', `/zones?q=${encodeURIComponent('ttl<soon')}`],
        ['zones-none', `/zones?q=nothing-is-named-so`],
        ['zones-reverse', `/zones?q=${word}&tree=ipv4`],
      ]
      for (const [file, path] of visits) {
        await page.goto(path)
        await visitor.picture(`${file}-${name}`)
        await visitor.inspect(assert)
      }
      await page.goto(`/zones?q=${word}`)
      for (const menu of ['Views', 'Columns']) {
        await page.locator('summary', { hasText: menu }).click()
        await visitor.picture(`zones-${menu.toLowerCase()}-menu-${name}`)
        await visitor.inspect(assert)
        await page.keyboard.press('Escape')
      }
      await visitor.leave()
    })
  }
})
