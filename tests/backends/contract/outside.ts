import { test } from '@japa/runner'
import type { BackendZone } from '#backends/contract/backend'
import { Bench, freshZoneName, rrset, type DriverUnderTest } from './bench.js'
import { forgetHighestId, insertRow, rowsAt, told } from './outsiders.js'
import { raw } from './raw.js'

/** What another writer does to `www A 192.0.2.1` and `www A 192.0.2.2`, and what is told of it. */
const EDITS: {
  what: string
  edit: (zone: BackendZone, name: string) => Promise<unknown>
  told: string[]
  /** Only where the driver sees the rows as they are. */
  isRaw?: boolean
}[] = [
  {
    what: 'a content',
    edit: (zone, name) =>
      rowsAt(zone, name).where('content', '192.0.2.1').update({ content: '192.0.2.9' }),
    told: ['www A: 300 192.0.2.1, 192.0.2.2 => 300 192.0.2.2, 192.0.2.9'],
  },
  {
    what: 'a TTL',
    edit: (zone, name) => rowsAt(zone, name).update({ ttl: 60 }),
    told: ['www A: 300 192.0.2.1, 192.0.2.2 => 60 192.0.2.1, 192.0.2.2'],
  },
  {
    what: 'disabled',
    edit: (zone, name) =>
      rowsAt(zone, name).where('content', '192.0.2.2').update({ disabled: true }),
    told: ['www A: 300 192.0.2.1, 192.0.2.2 => 300 192.0.2.1, 192.0.2.2 (disabled)'],
  },
  {
    what: 'an owner name',
    edit: (zone, name) =>
      rowsAt(zone, name)
        .where('content', '192.0.2.1')
        .update({ name: `moved.${zone.name}` }),
    told: ['moved A: - => 300 192.0.2.1', 'www A: 300 192.0.2.1, 192.0.2.2 => 300 192.0.2.2'],
  },
  {
    what: 'a type',
    edit: (zone, name) =>
      rowsAt(zone, name).where('content', '192.0.2.1').update({ type: 'TXT', content: '"text"' }),
    told: ['www A: 300 192.0.2.1, 192.0.2.2 => 300 192.0.2.2', 'www TXT: - => 300 "text"'],
  },
  {
    what: 'a priority',
    edit: (zone) => rowsAt(zone, `mail.${zone.name}`).update({ prio: 20 }),
    told: ['mail MX: 300 10 mx.example => 300 20 mx.example'],
  },
  {
    what: 'the letters of a text',
    edit: (zone) => rowsAt(zone, `text.${zone.name}`).update({ content: '"Some Text"' }),
    told: ['text TXT: 300 "some text" => 300 "Some Text"'],
  },
  {
    what: 'a space at the end of what is no valid record',
    isRaw: true,
    edit: (zone) => rowsAt(zone, `odd.${zone.name}`).update({ content: 'not an address ' }),
    told: ['odd A: 300 not an address => 300 not an address '],
  },
  {
    what: 'a missing record',
    edit: (zone, name) => rowsAt(zone, name).where('content', '192.0.2.1').delete(),
    told: ['www A: 300 192.0.2.1, 192.0.2.2 => 300 192.0.2.2'],
  },
  {
    what: 'a missing RRset',
    edit: (zone, name) => rowsAt(zone, name).delete(),
    told: ['www A: 300 192.0.2.1, 192.0.2.2 => -'],
  },
  {
    what: 'a new record',
    edit: (zone) => insertRow(zone, `new.${zone.name}`, { content: '192.0.2.3' }),
    told: ['new A: - => 300 192.0.2.3'],
  },
  {
    what: 'a new record with a column that has no value',
    edit: (zone) => insertRow(zone, `new.${zone.name}`, { prio: null }),
    told: ['new A: - => 300 192.0.2.1'],
  },
  {
    what: 'the serial',
    edit: (zone) =>
      rowsAt(zone, zone.name, 'SOA').update({
        content: `ns1.${zone.name} hostmaster.${zone.name} 7 10800 3600 604800 300`,
      }),
    told: [
      '@ SOA: 300 ns1.@ hostmaster.@ 1 10800 3600 604800 300 => ' +
        '300 ns1.@ hostmaster.@ 7 10800 3600 604800 300',
    ],
  },
]

/** What another writer does that changes no record. */
const COSMETICS: { what: string; edit: (zone: BackendZone, name: string) => Promise<unknown> }[] = [
  {
    what: 'rows written anew',
    async edit(zone, name) {
      await rowsAt(zone, name).delete()
      await insertRow(zone, name, { content: '192.0.2.2' })
      await insertRow(zone, name)
    },
  },
  {
    what: 'a host name with a final dot, in capitals',
    edit: (zone) => rowsAt(zone, `mail.${zone.name}`).update({ content: 'MX.example.' }),
  },
  {
    what: 'a type in small letters',
    edit: (zone, name) => rowsAt(zone, name).update({ type: 'a' }),
  },
  {
    what: 'flags of the name server',
    edit: (zone, name) => rowsAt(zone, name).update({ auth: false, ordername: 'www' }),
  },
  {
    what: 'empty non-terminals',
    edit: (zone) =>
      insertRow(zone, `empty.${zone.name}`, { type: null, content: null, ttl: null, prio: null }),
  },
]

function exampleZone(bench: Bench, { writesRows }: DriverUnderTest): Promise<BackendZone> {
  return bench.zone([
    ['www', 'A', ['192.0.2.1', '192.0.2.2']],
    ['mail', 'MX', [{ content: 'mx.example', priority: 10 }]],
    ['text', 'TXT', ['"some text"']],
    ['deep.empty', 'A', ['192.0.2.1']],
    // What is no valid record, name servers do not take over their API.
    ...(writesRows ? [['odd', 'A', ['not an address']] as [string, string, string[]]] : []),
  ])
}

function editsFor({ writesRows }: DriverUnderTest) {
  return EDITS.filter(({ isRaw }) => writesRows || !isRaw)
}

/** Outside changes: what other tools did to rows is told once, and nothing else. */
export function registerOutside(driver: DriverUnderTest): void {
  test.group(`${driver.name} driver: outside changes`, () => {
    for (const { what, edit, told: expected } of editsFor(driver)) {
      test(`${what} is told once`, async ({ assert }) => {
        const bench = await Bench.of(driver)
        const zone = await exampleZone(bench, driver)
        assert.isFalse(await bench.backend.hasOutsideChanges(zone))
        await edit(zone, `www.${zone.name}`)
        assert.isTrue(await bench.backend.hasOutsideChanges(zone))
        assert.deepEqual(
          await told(bench, zone),
          expected.map((line) =>
            line
              .replace(/^@ /, `${zone.name} `)
              .replace(/^([a-z]+) /, `$1.${zone.name} `)
              .replaceAll('.@', `.${zone.name}`)
          )
        )
        assert.isFalse(await bench.backend.hasOutsideChanges(zone))
        assert.deepEqual(await told(bench, zone), [])
      })
    }

    test('a bounded look does not look at zones of more records', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await exampleZone(bench, driver)
      const total = await bench.count(zone)
      const { edit } = EDITS[0]
      assert.isFalse(await bench.backend.hasOutsideChanges(zone, { upTo: total }))
      await edit(zone, `www.${zone.name}`)
      assert.isTrue(await bench.backend.hasOutsideChanges(zone, { upTo: total + 1 }))
      assert.isFalse(await bench.backend.hasOutsideChanges(zone, { upTo: total - 1 }))
      assert.isTrue(await bench.backend.hasOutsideChanges(zone))
      await told(bench, zone)
    })

    for (const { what, edit } of COSMETICS) {
      test(`no change: ${what}`, async ({ assert }) => {
        const bench = await Bench.of(driver)
        const zone = await exampleZone(bench, driver)
        await edit(zone, `www.${zone.name}`)
        assert.deepEqual(await told(bench, zone), [])
        assert.isFalse(await bench.backend.hasOutsideChanges(zone))
      })
    }

    test('a row in capitals is found where the database finds it, and told once', async ({
      assert,
    }) => {
      const bench = await Bench.of(driver)
      const zone = await exampleZone(bench, driver)
      const name = `www.${zone.name}`
      await insertRow(zone, `WWW.${zone.name}`, { content: '192.0.2.3' })
      const line = `${name} A: 300 192.0.2.1, 192.0.2.2 => 300 192.0.2.1, 192.0.2.2, 192.0.2.3`
      assert.deepEqual(await told(bench, zone), [line])
      assert.deepEqual(await told(bench, zone, [name]), [])
      assert.isFalse(await bench.backend.hasOutsideChanges(zone))
    })

    test('of some names only these are told, the rest later', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await exampleZone(bench, driver)
      const [www, text] = [`www.${zone.name}`, `text.${zone.name}`]
      await rowsAt(zone, www).where('content', '192.0.2.1').delete()
      await rowsAt(zone, text).update({ content: '"new"' })
      await insertRow(zone, `www.www.${zone.name}`)
      assert.deepEqual(await told(bench, zone, [zone.name]), [])
      assert.deepEqual(await told(bench, zone, [text, zone.name]), [
        `${text} TXT: 300 "some text" => 300 "new"`,
      ])
      assert.isTrue(await bench.backend.hasOutsideChanges(zone))
      assert.deepEqual(await told(bench, zone), [
        `www.${www} A: - => 300 192.0.2.1`,
        `${www} A: 300 192.0.2.1, 192.0.2.2 => 300 192.0.2.2`,
      ])
      assert.isFalse(await bench.backend.hasOutsideChanges(zone))
    })

    test('what the product writes over is no outside change, what it does not touch stays one', async ({
      assert,
    }) => {
      const bench = await Bench.of(driver)
      const zone = await exampleZone(bench, driver)
      const [www, text] = [`www.${zone.name}`, `text.${zone.name}`]
      await rowsAt(zone, text).update({ content: '"new"' })
      await insertRow(zone, `last.${zone.name}`)
      await told(bench, zone, [`last.${zone.name}`])
      await rowsAt(zone, `last.${zone.name}`).delete()
      await forgetHighestId()
      await bench.put(zone, rrset(www, 'A', ['192.0.2.2', '192.0.2.3', '192.0.2.4'], 60))
      await bench.remove(zone, [`mail.${zone.name}`, 'MX'])
      assert.deepEqual(await told(bench, zone), [
        `last.${zone.name} A: 300 192.0.2.1 => -`,
        `${text} TXT: 300 "some text" => 300 "new"`,
      ])
    })

    test('a rolled back session takes no note', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await exampleZone(bench, driver)
      await insertRow(zone, `new.${zone.name}`)
      const failing = bench.locked(zone, async (session, it) => {
        const changes = await session.takeExternalChanges(it)
        assert.lengthOf(changes, 1)
        throw new Error('changed my mind')
      })
      await assert.rejects(() => failing, 'changed my mind')
      assert.isTrue(await bench.backend.hasOutsideChanges(zone))
      assert.deepEqual(await told(bench, zone), [`new.${zone.name} A: - => 300 192.0.2.1`])
    })

    test('two at once are not told the same change', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await exampleZone(bench, driver)
      await insertRow(zone, `new.${zone.name}`)
      const both = await Promise.all([told(bench, zone), told(bench, zone)])
      assert.deepEqual(both.flat(), [`new.${zone.name} A: - => 300 192.0.2.1`])
    })

    test('many changes are told in order, by name, then type', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await exampleZone(bench, driver)
      const { id } = await raw().from('domains').where('name', zone.name).select('id').firstOrFail()
      const rows = Array.from({ length: 1_200 }, (_, i) => `h${String(i).padStart(4, '0')}`)
      for (let i = 0; i < rows.length; i += 200) {
        const part = rows.slice(i, i + 200).flatMap((owner) =>
          ['TXT', 'A'].map((type) => ({
            domain_id: id,
            name: `${owner}.${zone.name}`,
            type,
            content: type === 'A' ? '192.0.2.1' : '"x"',
            ttl: 60,
            prio: 0,
            disabled: false,
            auth: true,
          }))
        )
        await raw().table('records').multiInsert(part)
      }
      const lines = await told(bench, zone)
      assert.deepEqual(
        lines,
        rows.flatMap((owner) => [
          `${owner}.${zone.name} A: - => 60 192.0.2.1`,
          `${owner}.${zone.name} TXT: - => 60 "x"`,
        ])
      )
      assert.isFalse(await bench.backend.hasOutsideChanges(zone))
    })

    // Rows have no identity that is told over the API.
    if (!driver.writesRows) return

    test('a row that moved is missed at its old name too, whichever is looked at', async ({
      assert,
    }) => {
      const bench = await Bench.of(driver)
      const zone = await exampleZone(bench, driver)
      const [www, text, moved] = ['www', 'text', 'moved'].map((owner) => `${owner}.${zone.name}`)
      await rowsAt(zone, text).update({ name: moved })
      assert.deepEqual(await told(bench, zone, [moved]), [
        `${moved} TXT: - => 300 "some text"`,
        `${text} TXT: 300 "some text" => -`,
      ])
      await rowsAt(zone, www).update({ name: text })
      assert.deepEqual(await told(bench, zone, [www]), [`${www} A: 300 192.0.2.1, 192.0.2.2 => -`])
      assert.deepEqual(await told(bench, zone), [`${text} A: - => 300 192.0.2.1, 192.0.2.2`])
      assert.isFalse(await bench.backend.hasOutsideChanges(zone))
    })

    test('a renamed zone: nothing to tell but what was there to tell before', async ({
      assert,
    }) => {
      const bench = await Bench.of(driver)
      const zone = await exampleZone(bench, driver)
      const rename = (from: BackendZone) =>
        bench.locked(from, (session, it) => session.renameZone(it, freshZoneName()))
      const renamed = await rename(zone)
      assert.isFalse(await bench.backend.hasOutsideChanges(renamed))
      await rowsAt(renamed, `text.${renamed.name}`).update({ content: '"new"' })
      const again = await rename(renamed)
      assert.deepEqual(await told(bench, again), [
        `text.${again.name} TXT: 300 "some text" => 300 "new"`,
      ])
    })
  })
}
