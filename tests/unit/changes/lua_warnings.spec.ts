import { test } from '@japa/runner'
import type { DnsBackend } from '#backends/contract/backend'
import type { PowerDnsClient } from '#backends/powerdns_api/client'
import { PowerDnsNameServer } from '#backends/powerdns_api/name_server'
import { luaWarnings } from '#changes/warnings/lua'
import type { RRset } from '#dns/types'

const set = (type: string, disabled = false): RRset => ({
  name: 'l.example.org',
  type,
  ttl: 60,
  records: [{ id: 1, content: 'A "\'192.0.2.1\'"', priority: 0, disabled }],
})

/** A backend whose server reports whether it runs Lua records; undefined without a reachable server. */
function backendOf(runs: boolean | null | undefined, stored: Record<string, string[]> = {}) {
  const reads: string[] = []
  const backend = {
    nameServer: runs === undefined ? undefined : { runsLua: () => respondWith(runs) },
    findZone: (id: number) => respondWith({ id }),
    metadataOf: () => respondWith(stored),
  }
  function respondWith<T>(answer: T): Promise<T> {
    reads.push(String(answer))
    return Promise.resolve(answer)
  }
  return { backend: backend as unknown as DnsBackend, asked: reads }
}

type Case = [
  what: string,
  runs: boolean | null | undefined,
  stored: Record<string, string[]>,
  wished: Record<string, string[]>,
  rules: string[],
]

const CASES: Case[] = [
  ['the server has it off', false, {}, {}, ['lua-disabled']],
  ['the server has it on', true, {}, {}, []],
  ['the server does not say', null, {}, {}, []],
  ['there is no server to ask', undefined, {}, {}, ['lua-depends']],
  ['the metadata switch it on', false, { 'ENABLE-LUA-RECORDS': ['1'] }, {}, []],
  ['the metadata say so without a server', undefined, { 'ENABLE-LUA-RECORDS': ['1'] }, {}, []],
  ['the metadata say no', false, { 'ENABLE-LUA-RECORDS': ['0'] }, {}, ['lua-disabled']],
  ['the same change switches it on', false, {}, { 'ENABLE-LUA-RECORDS': ['1'] }, []],
  [
    'the same change ends the metadata',
    false,
    { 'ENABLE-LUA-RECORDS': ['1'] },
    { 'ENABLE-LUA-RECORDS': [] },
    ['lua-disabled'],
  ],
]

test.group('Warnings about LUA records', () => {
  for (const [what, runs, stored, metadata, rules] of CASES) {
    test(`when ${what}`, async ({ assert }) => {
      const { backend } = backendOf(runs, stored)
      const changes = [{ name: 'l.example.org', type: 'LUA', before: null, after: set('LUA') }]
      const found = await luaWarnings(backend, { id: 1, name: 'example.org', changes, metadata })
      assert.deepEqual(
        found.map(({ rule }) => rule),
        rules
      )
    })
  }

  test('the server is not asked for other types, and deleted or disabled records', async ({
    assert,
  }) => {
    const { backend, asked: requested } = backendOf(false)
    const zone = { id: 1, name: 'example.org', metadata: {} }
    const name = 'l.example.org'
    for (const change of [
      { name, type: 'A', before: null, after: set('A') },
      { name, type: 'LUA', before: set('LUA'), after: null },
      { name, type: 'LUA', before: null, after: set('LUA', true) },
    ]) {
      assert.deepEqual(await luaWarnings(backend, { ...zone, changes: [change] }), [])
    }
    assert.deepEqual(requested, [])
  })

  test('a zone that does not exist yet is not looked up', async ({ assert }) => {
    const { backend, asked: requested } = backendOf(false)
    const changes = [{ name: 'l.example.org', type: 'LUA', before: null, after: set('LUA') }]
    const zone = { id: null, name: 'example.org', changes, metadata: {} }
    assert.lengthOf(await luaWarnings(backend, zone), 1)
    assert.deepEqual(requested, ['false'])
  })
})

test.group('The setting enable-lua-records', () => {
  const settings = (value: unknown) => [
    { name: 'api', type: 'ConfigSetting', value: 'yes' },
    { name: 'enable-lua-records', type: 'ConfigSetting', value },
  ]
  const serverOf = (answer: () => Promise<unknown>, now = () => 0) =>
    new PowerDnsNameServer({ get: answer } as unknown as PowerDnsClient, now)

  for (const [answer, runs] of [
    [settings('yes'), true],
    [settings('shared'), true],
    [settings('no'), false],
    [settings('off'), false],
    [settings(1), null],
    [[], null],
    [null, null],
    [{ error: 'no' }, null],
  ] as const) {
    test(`${JSON.stringify(answer)} means ${runs}`, async ({ assert }) => {
      assert.equal(await serverOf(() => Promise.resolve(answer)).runsLua(), runs)
    })
  }

  test('the setting is read once a minute, also if the server does not respond', async ({
    assert,
  }) => {
    for (const answer of [
      () => Promise.resolve(settings('no')),
      () => Promise.reject(new Error()),
    ]) {
      let [calls, now] = [0, 0]
      const server = serverOf(
        () => {
          calls++
          return answer()
        },
        () => now
      )
      const first = await server.runsLua()
      assert.equal(await server.runsLua(), first)
      assert.equal(calls, 1)
      now = 60_000
      await server.runsLua()
      assert.equal(calls, 2)
    }
  })
})
