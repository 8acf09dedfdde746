import { InvalidDns } from '#dns/errors'
import { ownerName, storedOwnerName } from '#dns/names'
import { canonicalRecord, recordType, typeInFile, type RecordInput } from '#dns/records/registry'
import { parseSoa } from '#dns/rdata/soa'
import { fault, FileFault } from '#dns/zonefile/reading/faults'
import { completeName, isOutside, lacksDot } from '#dns/zonefile/reading/file_names'
import { readHeader, type Header } from '#dns/zonefile/reading/header'
import type { Entry, Token } from '#dns/zonefile/reading/lexer'
import { hostsIn } from '#dns/zonefile/name_fields'
import { cleanCommentText, readTrailingComment } from '#dns/zonefile/comments'
import { readRdata } from '#dns/zonefile/reading/rdata'
import type { ZoneFileRecord } from '#dns/zonefile/types'
import type { RecordData } from '#dns/types'

/** Where a name was found that is fine, but of another zone. */
export class OutsideZone extends FileFault {
  /** The zone that the file is of, as far as it looks: the owner of its SOA record, or its origin. */
  zone?: string
}

/** A record of a type that only the name server writes, which cannot be read. Imports leave it out anyway. */
export class OfServer extends FileFault {}

/** Names whose final dot was forgotten, most likely. */
export type WarnName = (token: Token, origin: string) => void

/** Names that PowerDNS does not answer for, which the zone may have all the same. */
export type DoubtName = (token: Token, name: string, message: string) => void

/**
 * Reads the records of a zone, and remembers what later ones leave out: owner, TTL and origin.
 *
 * A record without TTL has that of the last `$TTL` (RFC 2308, 4), without one the TTL that was stated last
 * (RFC 1035, 5.1). A first SOA without TTL has its own minimum, which then counts as a `$TTL`.
 */
export class RecordReader {
  /** Canonical; '' is the root. */
  origin: string
  /** Of the last `$TTL`. */
  defaultTtl?: number
  #statedTtl?: number
  #owner?: string
  #ownerRefused?: 'invalid' | 'outside'
  #known?: { text: string; origin: string; name: string }
  readonly #doubted = new Set<string>()

  constructor(
    private readonly apex: string,
    private readonly warnName: WarnName,
    private readonly doubtName: DoubtName
  ) {
    this.origin = apex
  }

  /**
   * The record of an entry; undefined when the owner it takes over was refused where it stands.
   *
   * @throws FileFault
   */
  read(entry: Entry, above: string[] = []): ZoneFileRecord | undefined {
    if (!entry.indented) this.#readOwner(entry)
    const header = readHeader(entry)
    if (header.ttl !== undefined) this.#statedTtl = header.ttl
    const name = this.#takenOwner(header, entry)
    return name === undefined ? undefined : this.#record(header, entry, { name, above })
  }

  /**
   * The record of an entry that is disabled; nothing of it is remembered.
   *
   * @throws FileFault
   */
  readDisabled(entry: Entry, above: string[]): ZoneFileRecord {
    const name = this.#nameOf(entry.tokens[0])
    return this.#record(readHeader(entry), entry, { name, above, disabled: true })
  }

  /** Records without owner have none, until one is read. */
  forgetOwner(): void {
    this.#ownerRefused = 'invalid'
  }

  #record(
    header: Header,
    { line, comments }: Entry,
    { name, above, disabled = false }: { name: string; above: string[]; disabled?: boolean }
  ): ZoneFileRecord {
    const type = typeInFile(header.type.text)
    const { trailing, joined } = readTrailingComment(comments)
    const rdata = readRdata(type, header.rdata, this.origin, joined)
    const input = { ...rdata, type, disabled, name, apex: this.apex }
    const record = canonicalAt(header, input)
    const ttl = this.#ttlOf(header, type, record.content)
    this.#warnHosts(type, header.rdata)
    const comment = cleanCommentText(above, trailing)
    return { kind: 'record', line, name, type, ttl, record, ...(comment && { comment }) }
  }

  #ttlOf({ ttl, type: token }: Header, type: string, content: string): number {
    const left = ttl ?? this.defaultTtl ?? this.#statedTtl
    if (left !== undefined) return left
    if (type === 'SOA') return (this.defaultTtl = parseSoa(content).minimum)
    const allowed = 'a TTL in the record, or a $TTL, SOA or record with a TTL before it'
    throw fault(token, 'ttl', '', 'is missing', allowed)
  }

  #readOwner({ tokens: [token, ...rest] }: Entry): void {
    this.#ownerRefused = 'invalid'
    try {
      this.#owner = this.#nameOf(token)
      this.#ownerRefused = undefined
    } catch (error) {
      if (error instanceof OutsideZone) {
        this.#ownerRefused = 'outside'
        error.zone = this.#otherZone(token, rest)
      }
      throw error
    }
  }

  /** The zone of which a record with an owner of another zone is; undefined where nothing tells. */
  #otherZone({ text }: Token, rest: Token[]): string | undefined {
    // Behind the owner stand a TTL and a class at most.
    const isSoa = rest.slice(0, 3).some((token) => token.text.toUpperCase() === 'SOA')
    if (isSoa) return completeName(text, this.origin)
    const origin = `${this.origin}.`
    return isOutside(origin, this.apex) ? origin : undefined
  }

  #takenOwner({ type }: Header, { line }: Entry): string | undefined {
    if (this.#ownerRefused === 'outside') {
      const message = `Field 'name': the owner taken over is outside of the zone ${this.apex}`
      throw new OutsideZone(type, 'name', message)
    }
    if (this.#ownerRefused) return undefined
    if (this.#owner !== undefined) return this.#owner
    const allowed = 'a name at the start of the line, as no record before has one'
    throw fault({ line, column: 1 }, 'name', '', 'is missing', allowed)
  }

  #nameOf(token: Token): string {
    const { text } = token
    const { origin, apex } = this
    if (this.#known?.text === text && this.#known.origin === origin) return this.#known.name
    const full = completeName(text, origin)
    try {
      const name = storedOwnerName(full, apex)
      this.#doubt(token, name)
      if (lacksDot(text, origin)) this.warnName(token, origin)
      this.#known = { text, origin, name }
      return name
    } catch (error) {
      if (!(error instanceof InvalidDns)) throw error
      const Kind = isOutside(full, apex) ? OutsideZone : FileFault
      throw new Kind(token, 'name', error.message)
    }
  }

  /** Tells once of a name that PowerDNS does not answer for. */
  #doubt(token: Token, name: string): void {
    if (this.#doubted.has(name)) return
    try {
      ownerName(`${name}.`, this.apex)
    } catch (error) {
      if (!(error instanceof InvalidDns)) throw error
      this.#doubted.add(name)
      this.doubtName(token, name, error.message)
    }
  }

  #warnHosts(type: string, rdata: Token[]): void {
    if (rdata[0]?.text === '\\#') return
    const hosts = hostsIn(type, rdata)
    for (const at of hosts) {
      if (at < rdata.length && lacksDot(rdata[at].text, this.origin)) {
        this.warnName(rdata[at], this.origin)
      }
    }
  }
}

function canonicalAt({ owner, type, rdata }: Header, input: RecordInput): RecordData {
  try {
    return canonicalRecord(input)
  } catch (error) {
    if (!(error instanceof InvalidDns)) throw error
    if (recordType(input.type)?.writer === 'server') {
      throw new OfServer(rdata[0] ?? type, error.field, error.message)
    }
    const places: Record<string, Token | undefined> = { name: owner, type }
    throw new FileFault(places[error.field] ?? rdata[0] ?? type, error.field, error.message)
  }
}
