import type { Answer, SizedServer } from '#tests/support/faults/sized_server'

/** A write whose cost must not depend on the size of the database. */
export interface GrownWrite {
  what: string
  user: 'admin' | 'owner'
  /** Repeats the write. Each call changes something. */
  work: (server: SizedServer, user: string) => Promise<Answer>
}

/** Operations of a bulk request. */
const BULK = 10

const address = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
const record = (n: number) => ({ name: `grown-${n}`, type: 'A', content: address(n), ttl: 300 })

const records = ({ filled }: SizedServer) => `/zones/${filled.first}/records`

/** Writes of records, of several records at once, of zones, and by dynamic DNS. */
export const WRITES: GrownWrite[] = [
  {
    what: 'a new record',
    user: 'admin',
    work: (server, user) => server.post(records(server), record(server.next()), user),
  },
  {
    what: 'a new record in a large zone',
    user: 'admin',
    work: (server, user) =>
      server.post(`/zones/${server.filled.large}/records`, record(server.next()), user),
  },
  {
    what: 'a record that comes, changes and goes',
    user: 'owner',
    async work(server, user) {
      const n = server.next()
      const { data } = await server.post(records(server), record(n), user)
      const { id } = (data as { record: { id: number } }).record
      const path = `${records(server)}/${id}`
      await server.send('PUT', path, { content: address(n + 1) }, user)
      return server.send('DELETE', path, undefined, user)
    },
  },
  {
    what: 'an RRset that is replaced',
    user: 'admin',
    work: (server, user) => {
      const set = {
        name: 'set',
        type: 'A',
        ttl: 300,
        records: [{ content: address(server.next()) }],
      }
      return server.send('PUT', `/zones/${server.filled.first}/rrsets`, set, user)
    },
  },
  {
    what: 'several records at once',
    user: 'admin',
    work: (server, user) => {
      const operations = Array.from({ length: BULK }, () => ({
        action: 'create',
        ...record(server.next()),
      }))
      return server.post(`${records(server)}/bulk`, { operations }, user)
    },
  },
  {
    what: 'a new zone',
    user: 'admin',
    work: (server, user) =>
      server.post('/zones', { name: `grown-${server.next()}.example`, type: 'MASTER' }, user),
  },
  {
    what: 'a zone that comes and goes',
    user: 'admin',
    async work(server, user) {
      const zone = { name: `gone-${server.next()}.example`, type: 'NATIVE' }
      const { data } = await server.post('/zones', zone, user)
      const { zone_id: id } = data as { zone_id: number }
      return server.send('DELETE', `/zones/${id}`, undefined, user)
    },
  },
  {
    what: 'a host that moves',
    user: 'owner',
    work: (server, user) => {
      const update = { hostname: server.host, ipv4: address(server.next()) }
      return server.post('/dynamic-dns', update, user)
    },
  },
]
