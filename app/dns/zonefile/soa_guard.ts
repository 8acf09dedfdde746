import { fault } from '#dns/zonefile/reading/faults'
import type { ZoneFileRecord } from '#dns/zonefile/types'

/** Knows the SOA that ends the dump of a transfer: it is the first one again (RFC 5936, 2.2). */
export class SoaGuard {
  #first?: ZoneFileRecord

  /**
   * Whether a record is the first SOA again.
   *
   * @throws FileFault on 'content' for another SOA
   */
  isRepeated(found: ZoneFileRecord): boolean {
    if (found.type !== 'SOA' || found.record.disabled) return false
    const { line, record } = (this.#first ??= found)
    if (this.#first === found) return false
    const { content } = found.record
    if (content === record.content) return true
    const allowed = `one SOA in a zone, and that of line ${line} again at the end of a transfer`
    throw fault({ line: found.line }, 'content', content, 'is a second, different SOA', allowed)
  }
}
