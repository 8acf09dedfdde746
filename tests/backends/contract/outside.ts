import { test } from '@japa/runner'
import type { BackendZone } from '#backends/contract/backend'
import { Bench, freshZoneName, rrset, type DriverUnderTest } from './bench.js'
import { forgetHighestId, insertRow, rowsAt, takeExternalChanges } from './outsiders.js'
import { raw } from './raw.js'

/** Edits of another writer of `www A 192.0.2.1` and `www A 192.0.2.2`, and the expected external changes. */
const EDITS: {
  what: string
  edit: (zone: BackendZone, name: string) => Promise<unknown>
  reported: string[]
  /** Only for drivers that read the raw rows. */
  isRaw?: boolean
}[] = [
  {
    what: 'a content',
    edit: (zone, name) =>
      rowsAt(zone, name).where('content', '192.0.2.1').update({ content: '192.0.2.9' }),
    reported: ['www A: 300 192.0.2.1, 192.0.2.2 => 300 192.0.2.2, 192.0.2.9'],
  },
  {
    what: 'a TTL',
    edit: (zone, name) => rowsAt(zone, name).update({ ttl: 60 }),
    reported: ['www A: 300 192.0.2.1, 192.0.2.2 => 60 192.0.2.1, 192.0.2.2'],
  },
  {
    what: 'disabled',
    edit: (zone, name) =>
      rowsAt(zone, name).where('content', '192.0.2.2').update({ disabled: true }),
    reported: ['www A: 300 192.0.2.1, 192.0.2.2 => 300 192.0.2.1, 192.0.2.2 (disabled)'],
  },
  {
    what: 'an owner name',
    edit: (zone, name) =>
      rowsAt(zone, name)
        .where('content', '192.0.2.1')
        .update({ name: `moved.${zone.name}` }),
    reported: ['moved A: - => 300 192.0.2.1', 'www A: 300 192.0.2.1, 192.0.2.2 => 300 192.0.2.2'],
  },
  {
    what: 'a type',
    edit: (zone, name) =>
      rowsAt(zone, name).where('content', '192.0.2.1').update({ type: 'TXT', content: '"text"' }),
    reported: ['www A: 300 192.0.2.1, 192.0.2.2 => 300 192.0.2.2', 'www TXT: - => 300 "text"'],
  },
  {
    what: 'a priority',
    edit: (zone) => rowsAt(zone, `mail.${zone.name}`).update({ prio: 20 }),
    reported: ['mail MX: 300 10 mx.example => 300 20 mx.example'],
  },
  {
    what: 'the case of a text',
    edit: (zone) => rowsAt(zone, `text.${zone.name}`).update({ content: '"Some Text"' }),
    reported: ['text TXT: 300 "some text" => 300 "Some Text"'],
  },
  {
    what: 'a trailing space of an invalid record',
    isRaw: true,
    edit: (zone) => rowsAt(zone, `odd.${zone.name}`).update({ content: 'not an address ' }),
    reported: ['odd A: 300 not an address => 300 not an address '],
  },
  {
    what: 'a missing record',
    edit: (zone, name) => rowsAt(zone, name).where('content', '192.0.2.1').delete(),
    reported: ['www A: 300 192.0.2.1, 192.0.2.2 => 300 192.0.2.2'],
  },
  {
    what: 'a missing RRset',
    edit: (zone, name) => rowsAt(zone, name).delete(),
    reported: ['www A: 300 192.0.2.1, 192.0.2.2 => -'],
  },
  {
    what: 'a new record',
    edit: (zone) => insertRow(zone, `new.${zone.name}`, { content: '192.0.2.3' }),
    reported: ['new A: - => 300 192.0.2.3'],
  },
  {
    what: 'a new record with a NULL column',
    edit: (zone) => insertRow(zone, `new.${zone.name}`, { prio: null }),
    reported: ['new A: - => 300 192.0.2.1'],
  },
  {
    what: 'the serial',
    edit: (zone) =>
      rowsAt(zone, zone.name, 'SOA').update({
        content: `ns1.${zone.name} hostmaster.${zone.name} 7 10800 3600 604800 300`,
      }),
    reported: [
      '@ SOA: 300 ns1.@ hostmaster.@ 1 10800 3600 604800 300 => ' +
        '300 ns1.@ hostmaster.@ 7 10800 3600 604800 300',
    ],
  },
]

/** Edits of another writer that change no record. */
const COSMETICS: { what: string; edit: (zone: BackendZone, name: string) => Promise<unknown> }[] = [
  {
    what: 'rows deleted and inserted again',
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
    what: 'a type in lower case',
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
    // Name servers do not accept invalid records over their API.
    ...(writesRows ? [['odd', 'A', ['not an address']] as [string, string, string[]]] : []),
  ])
}

function editsFor({ writesRows }: DriverUnderTest) {
  return EDITS.filter(({ isRaw }) => writesRows || !isRaw)
}

/** External changes: edits of other tools are reported once, and nothing else is reported. */
export function registerOutside(driver: DriverUnderTest): void {
  test.group(`${driver.name} driver: outside changes`, () => {
    for (const { what, edit, reported: expected } of editsFor(driver)) {
      test(`${what} is reported once`, async ({ assert }) => {
        const bench = await Bench.of(driver)
        const zone = await exampleZone(bench, driver)
        assert.isFalse(await bench.backend.hasExternalChanges(zone))
        await edit(zone, `www.${zone.name}`)
        assert.isTrue(await bench.backend.hasExternalChanges(zone))
        assert.deepEqual(
          await takeExternalChanges(bench, zone),
          expected.map((line) =>
            line
              .replace(/^@ /, `${zone.name} `)
              .replace(/^([a-z]+) /, `$1.${zone.name} `)
              .replaceAll('.@', `.${zone.name}`)
          )
        )
        assert.isFalse(await bench.backend.hasExternalChanges(zone))
        assert.deepEqual(await takeExternalChanges(bench, zone), [])
      })
    }

    test('a bounded check skips zones with more records', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await exampleZone(bench, driver)
      const total = await bench.count(zone)
      const { edit } = EDITS[0]
      assert.isFalse(await bench.backend.hasExternalChanges(zone, { maxRecords: total }))
      await edit(zone, `www.${zone.name}`)
      assert.isTrue(await bench.backend.hasExternalChanges(zone, { maxRecords: total + 1 }))
      assert.isFalse(await bench.backend.hasExternalChanges(zone, { maxRecords: total - 1 }))
      assert.isTrue(await bench.backend.hasExternalChanges(zone))
      await takeExternalChanges(bench, zone)
    })

    for (const { what, edit } of COSMETICS) {
      test(`${what} is no external change`, async ({ assert }) => {
        const bench = await Bench.of(driver)
        const zone = await exampleZone(bench, driver)
        await edit(zone, `www.${zone.name}`)
        assert.deepEqual(await takeExternalChanges(bench, zone), [])
        assert.isFalse(await bench.backend.hasExternalChanges(zone))
      })
    }

    test('a row in capitals is reported once if the database finds it', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await exampleZone(bench, driver)
      const name = `www.${zone.name}`
      await insertRow(zone, `WWW.${zone.name}`, { content: '192.0.2.3' })
      const line = `${name} A: 300 192.0.2.1, 192.0.2.2 => 300 192.0.2.1, 192.0.2.2, 192.0.2.3`
      assert.deepEqual(await takeExternalChanges(bench, zone), [line])
      assert.deepEqual(await takeExternalChanges(bench, zone, [name]), [])
      assert.isFalse(await bench.backend.hasExternalChanges(zone))
    })

    test('only changes of the given names are reported, the others later', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await exampleZone(bench, driver)
      const [www, text] = [`www.${zone.name}`, `text.${zone.name}`]
      await rowsAt(zone, www).where('content', '192.0.2.1').delete()
      await rowsAt(zone, text).update({ content: '"new"' })
      await insertRow(zone, `www.www.${zone.name}`)
      assert.deepEqual(await takeExternalChanges(bench, zone, [zone.name]), [])
      assert.deepEqual(await takeExternalChanges(bench, zone, [text, zone.name]), [
        `${text} TXT: 300 "some text" => 300 "new"`,
      ])
      assert.isTrue(await bench.backend.hasExternalChanges(zone))
      assert.deepEqual(await takeExternalChanges(bench, zone), [
        `www.${www} A: - => 300 192.0.2.1`,
        `${www} A: 300 192.0.2.1, 192.0.2.2 => 300 192.0.2.2`,
      ])
      assert.isFalse(await bench.backend.hasExternalChanges(zone))
    })

    test('records overwritten by the product are no external change, and untouched ones remain one', async ({
      assert,
    }) => {
      const bench = await Bench.of(driver)
      const zone = await exampleZone(bench, driver)
      const [www, text] = [`www.${zone.name}`, `text.${zone.name}`]
      await rowsAt(zone, text).update({ content: '"new"' })
      await insertRow(zone, `last.${zone.name}`)
      await takeExternalChanges(bench, zone, [`last.${zone.name}`])
      await rowsAt(zone, `last.${zone.name}`).delete()
      await forgetHighestId()
      await bench.put(zone, rrset(www, 'A', ['192.0.2.2', '192.0.2.3', '192.0.2.4'], 60))
      await bench.remove(zone, [`mail.${zone.name}`, 'MX'])
      assert.deepEqual(await takeExternalChanges(bench, zone), [
        `last.${zone.name} A: 300 192.0.2.1 => -`,
        `${text} TXT: 300 "some text" => 300 "new"`,
      ])
    })

    test('a rolled back session stores no snapshot', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await exampleZone(bench, driver)
      await insertRow(zone, `new.${zone.name}`)
      const failing = bench.locked(zone, async (session, it) => {
        const changes = await session.takeExternalChanges(it)
        assert.lengthOf(changes, 1)
        throw new Error('changed my mind')
      })
      await assert.rejects(() => failing, 'changed my mind')
      assert.isTrue(await bench.backend.hasExternalChanges(zone))
      assert.deepEqual(await takeExternalChanges(bench, zone), [
        `new.${zone.name} A: - => 300 192.0.2.1`,
      ])
    })

    test('two concurrent checks do not report the same change', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await exampleZone(bench, driver)
      await insertRow(zone, `new.${zone.name}`)
      const both = await Promise.all([
        takeExternalChanges(bench, zone),
        takeExternalChanges(bench, zone),
      ])
      assert.deepEqual(both.flat(), [`new.${zone.name} A: - => 300 192.0.2.1`])
    })

    test('many changes are reported in order, by name, then type', async ({ assert }) => {
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
      const lines = await takeExternalChanges(bench, zone)
      assert.deepEqual(
        lines,
        rows.flatMap((owner) => [
          `${owner}.${zone.name} A: - => 60 192.0.2.1`,
          `${owner}.${zone.name} TXT: - => 60 "x"`,
        ])
      )
      assert.isFalse(await bench.backend.hasExternalChanges(zone))
    })

    // The API reports no identity of rows.
    if (!driver.writesRows) return

    test('a moved row is also reported missing at its old name, in any order of the checks', async ({
      assert,
    }) => {
      const bench = await Bench.of(driver)
      const zone = await exampleZone(bench, driver)
      const [www, text, moved] = ['www', 'text', 'moved'].map((owner) => `${owner}.${zone.name}`)
      await rowsAt(zone, text).update({ name: moved })
      assert.deepEqual(await takeExternalChanges(bench, zone, [moved]), [
        `${moved} TXT: - => 300 "some text"`,
        `${text} TXT: 300 "some text" => -`,
      ])
      await rowsAt(zone, www).update({ name: text })
      assert.deepEqual(await takeExternalChanges(bench, zone, [www]), [
        `${www} A: 300 192.0.2.1, 192.0.2.2 => -`,
      ])
      assert.deepEqual(await takeExternalChanges(bench, zone), [
        `${text} A: - => 300 192.0.2.1, 192.0.2.2`,
      ])
      assert.isFalse(await bench.backend.hasExternalChanges(zone))
    })

    test('a renamed zone reports only earlier external changes', async ({ assert }) => {
      const bench = await Bench.of(driver)
      const zone = await exampleZone(bench, driver)
      const rename = (from: BackendZone) =>
        bench.locked(from, (session, it) => session.renameZone(it, freshZoneName()))
      const renamed = await rename(zone)
      assert.isFalse(await bench.backend.hasExternalChanges(renamed))
      await rowsAt(renamed, `text.${renamed.name}`).update({ content: '"new"' })
      const again = await rename(renamed)
      assert.deepEqual(await takeExternalChanges(bench, again), [
        `text.${again.name} TXT: 300 "some text" => 300 "new"`,
      ])
    })
  })
}
