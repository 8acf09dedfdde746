import { fault } from '#dns/zonefile/reading/faults'
import type { ZoneFileRecord } from '#dns/zonefile/types'

/** Detects the SOA at the end of a transfer, which repeats the first one (RFC 5936, 2.2). */
export class SoaGuard {
  #first?: ZoneFileRecord

  /**
   * Returns whether a record repeats the first SOA.
   *
   * @throws FileFault on 'content' for another SOA
   */
  isRepeated(found: ZoneFileRecord): boolean {
    if (found.type !== 'SOA' || found.record.disabled) return false
    const { line, record } = (this.#first ??= found)
    if (this.#first === found) return false
    const { content } = found.record
    if (content === record.content) return true
    const allowed = `one SOA in a zone; a transfer can repeat the SOA of line ${line} at its end`
    throw fault({ line: found.line }, 'content', content, 'is a second, different SOA', allowed)
  }
}
