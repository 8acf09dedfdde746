import { toServerContent } from '#backends/powerdns_api/server_content'
import type { NonRecordData } from '#backends/contract/types'
import type { RRset } from '#dns/types'

/** An RRset in a call that writes. */
export interface RRsetBody {
  name: string
  type: string
  changetype: 'REPLACE' | 'DELETE'
  ttl?: number
  records?: { content: string; disabled: boolean }[]
  comments?: { content: string; account: string; modified_at: number }[]
}

/** PowerDNS accepts bodies of up to 2 MiB. */
const MAX_BODY_BYTES = 1_900_000

/** The body that replaces an RRset. Without `comments`, its comments do not change. */
export function rrsetBody(set: RRset, comments: NonRecordData['comments'] = []): RRsetBody {
  const { name, type, ttl, records } = set
  const setComments = comments.filter((comment) => comment.name === name && comment.type === type)
  return {
    name: `${name}.`,
    type,
    changetype: 'REPLACE',
    ttl,
    records: records.map((record) => {
      return { content: toServerContent(type, record), disabled: record.disabled }
    }),
    ...(setComments.length === 0
      ? {}
      : {
          comments: setComments.map(({ comment, account, modifiedAt }) => {
            return { content: comment, account, modified_at: modifiedAt }
          }),
        }),
  }
}

/** Groups RRsets into as few bodies as the server accepts. */
export function patchBodies(sets: RRsetBody[]): RRsetBody[][] {
  const bodies: RRsetBody[][] = []
  let size = Infinity
  for (const set of sets) {
    const bytes = Buffer.byteLength(JSON.stringify(set)) + 1
    if (size + bytes > MAX_BODY_BYTES) {
      bodies.push([])
      size = 0
    }
    bodies[bodies.length - 1].push(set)
    size += bytes
  }
  return bodies
}

/** Error text of PowerDNS for a content that it would write differently. */
const RESPELLED_CONTENT =
  /^Record (\S+)\/(\S+) '(.*)': Not in expected format \(parsed as '(.*)'\)$/s

/** The RRsets with a content in the spelling that the server reported; null if it reported none. */
export function respellSets(sets: RRsetBody[], reason: string): RRsetBody[] | null {
  const [, owner, type, content, spelling] = RESPELLED_CONTENT.exec(reason) ?? []
  if (owner === undefined) {
    return null
  }
  let isFound = false
  const next = sets.map((set) => {
    if (set.type !== type || set.name !== `${owner.replace(/\.$/, '')}.`) {
      return set
    }
    const records = set.records?.map((record) => {
      if (record.content !== content) {
        return record
      }
      isFound = true
      return { ...record, content: spelling }
    })
    return { ...set, records }
  })
  return isFound ? next : null
}
