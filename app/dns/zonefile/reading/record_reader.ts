import { InvalidDns } from '#dns/errors'
import { ownerName, storedOwnerName } from '#dns/names'
import { canonicalRecord, recordType, typeInFile, type RecordInput } from '#dns/records/registry'
import { parseSoa } from '#dns/rdata/soa'
import { fault, FileFault } from '#dns/zonefile/reading/faults'
import { completeName, isOutside, lacksDot } from '#dns/zonefile/reading/file_names'
import { readHeader, type Header } from '#dns/zonefile/reading/header'
import type { Entry, Token } from '#dns/zonefile/reading/lexer'
import { hostsIn } from '#dns/zonefile/name_fields'
import { cleanCommentText, readInlineComment } from '#dns/zonefile/comments'
import { readRdata } from '#dns/zonefile/reading/rdata'
import type { ZoneFileRecord } from '#dns/zonefile/types'
import type { RecordData } from '#dns/types'

/** A valid name that is outside the zone. */
export class OutsideZone extends FileFault {
  /** The zone of the file, if it is known: the owner of its SOA record, or its origin. */
  zone?: string
}

/** An invalid record of a type that only the name server writes. Imports skip such records. */
export class ServerFault extends FileFault {}

/** Called for a name whose final dot is probably missing. */
export type WarnName = (token: Token, origin: string) => void

/** Called for a name that PowerDNS does not serve; the zone may already contain it. */
export type DoubtName = (token: Token, name: string, message: string) => void

/**
 * Reads the records of a zone, and stores values for records without them: owner, TTL and origin. A missing TTL is that of the
 * last `$TTL` (RFC 2308, 4), otherwise the last stated TTL (RFC 1035, 5.1). A first SOA without TTL uses its minimum, which
 * then acts as `$TTL`.
 */
export class RecordReader {
  /** Canonical; '' is the root. */
  origin: string
  /** TTL of the last `$TTL`, in seconds. */
  defaultTtl?: number
  #lastTtl?: number
  #owner?: string
  #ownerRefused?: 'invalid' | 'outside'
  #cachedName?: { text: string; origin: string; name: string }
  readonly #reportedNames = new Set<string>()

  constructor(
    private readonly apex: string,
    private readonly warnName: WarnName,
    private readonly doubtName: DoubtName
  ) {
    this.origin = apex
  }

  /**
   * Returns the record of an entry; undefined if it has no owner and the owner of the record before was refused.
   *
   * @throws FileFault
   */
  read(entry: Entry, above: string[] = []): ZoneFileRecord | undefined {
    if (!entry.indented) this.#readOwner(entry)
    const header = readHeader(entry)
    if (header.ttl !== undefined) this.#lastTtl = header.ttl
    const name = this.#takeOwner(header, entry)
    return name === undefined ? undefined : this.#record(header, entry, { name, above })
  }

  /**
   * Returns the record of a disabled entry. Its owner and TTL do not apply to later records.
   *
   * @throws FileFault
   */
  readDisabled(entry: Entry, above: string[]): ZoneFileRecord {
    const name = this.#nameOf(entry.tokens[0])
    return this.#record(readHeader(entry), entry, { name, above, disabled: true })
  }

  /** Records without owner are skipped until the next owner. */
  forgetOwner(): void {
    this.#ownerRefused = 'invalid'
  }

  #record(
    header: Header,
    { line, comments }: Entry,
    { name, above, disabled = false }: { name: string; above: string[]; disabled?: boolean }
  ): ZoneFileRecord {
    const type = typeInFile(header.type.text)
    const { inline, joined } = readInlineComment(comments)
    const rdata = readRdata(type, header.rdata, this.origin, joined)
    const input = { ...rdata, type, disabled, name, apex: this.apex }
    const record = canonicalAt(header, input)
    const ttl = this.#ttlOf(header, type, record.content)
    this.#warnHosts(type, header.rdata)
    const comment = cleanCommentText(above, inline)
    return { kind: 'record', line, name, type, ttl, record, ...(comment && { comment }) }
  }

  #ttlOf({ ttl, type: token }: Header, type: string, content: string): number {
    const left = ttl ?? this.defaultTtl ?? this.#lastTtl
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

  /** Returns the zone of a record with an owner outside of this zone; undefined if it is unknown. */
  #otherZone({ text }: Token, rest: Token[]): string | undefined {
    // Only a TTL and a class may stand between owner and type.
    const isSoa = rest.slice(0, 3).some((token) => token.text.toUpperCase() === 'SOA')
    if (isSoa) return completeName(text, this.origin)
    const origin = `${this.origin}.`
    return isOutside(origin, this.apex) ? origin : undefined
  }

  #takeOwner({ type }: Header, { line }: Entry): string | undefined {
    if (this.#ownerRefused === 'outside') {
      const message = `Field 'name': the owner name of the previous record is outside the zone ${this.apex}`
      throw new OutsideZone(type, 'name', message)
    }
    if (this.#ownerRefused) return undefined
    if (this.#owner !== undefined) return this.#owner
    const allowed = 'a name at the start of the line, because no earlier record has one'
    throw fault({ line, column: 1 }, 'name', '', 'is missing', allowed)
  }

  #nameOf(token: Token): string {
    const { text } = token
    const { origin, apex } = this
    if (this.#cachedName?.text === text && this.#cachedName.origin === origin)
      return this.#cachedName.name
    const full = completeName(text, origin)
    try {
      const name = storedOwnerName(full, apex)
      this.#reportDoubtfulName(token, name)
      if (lacksDot(text, origin)) this.warnName(token, origin)
      this.#cachedName = { text, origin, name }
      return name
    } catch (error) {
      if (!(error instanceof InvalidDns)) throw error
      const Kind = isOutside(full, apex) ? OutsideZone : FileFault
      throw new Kind(token, 'name', error.message)
    }
  }

  /** Reports a name that PowerDNS does not serve, once per name. */
  #reportDoubtfulName(token: Token, name: string): void {
    if (this.#reportedNames.has(name)) return
    try {
      ownerName(`${name}.`, this.apex)
    } catch (error) {
      if (!(error instanceof InvalidDns)) throw error
      this.#reportedNames.add(name)
      this.doubtName(token, name, error.message)
    }
  }

  #warnHosts(type: string, rdata: Token[]): void {
    if (rdata[0]?.text === '\\#') return
    const hosts = hostsIn(type, rdata)
    for (const position of hosts) {
      if (position < rdata.length && lacksDot(rdata[position].text, this.origin)) {
        this.warnName(rdata[position], this.origin)
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
      throw new ServerFault(rdata[0] ?? type, error.field, error.message)
    }
    const positions: Record<string, Token | undefined> = { name: owner, type }
    throw new FileFault(positions[error.field] ?? rdata[0] ?? type, error.field, error.message)
  }
}
