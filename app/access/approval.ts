import settings from '#config/approval'
import { matchesPattern, matchesWithin } from '#dns/names/name_patterns'
import { namedPattern, typedPattern, userPattern } from '#dns/names/policy_patterns'

/** What goes through review, and who reviews: the settings `approval.*`. */
export type ApprovalSettings = { -readonly [Key in keyof typeof settings]: (typeof settings)[Key] }

/** What a direct write is answered that has to go through review; clients look for it. */
export const APPROVAL_NEEDED =
  'Changes to this zone require approval; create a change request instead'

/** The policy in force, one for the process. */
class ApprovalPolicy {
  #settings: ApprovalSettings = settings

  get settings(): ApprovalSettings {
    return this.#settings
  }

  get isEnabled(): boolean {
    return this.#settings.enabled
  }

  /** Every change needs review, whoever makes it. */
  get isForAll(): boolean {
    return this.isEnabled && this.#settings.require_review_for_all
  }

  /** Records of this name are changed through review only. */
  protects(name: string): boolean {
    return (
      this.isEnabled &&
      this.#settings.protected_names.some((text) => matchesPattern(namedPattern(text) ?? '', name))
    )
  }

  /** Records of some name at or below this one are changed through review only. */
  protectsWithin(apex: string): boolean {
    return (
      this.isEnabled &&
      this.#settings.protected_names.some((text) => matchesWithin(namedPattern(text) ?? '', apex))
    )
  }

  /** The entry by which an RRset needs no review; undefined where it does. */
  exemptionOf(name: string, type: string): string | undefined {
    if (this.protects(name)) {
      return undefined
    }
    return this.#settings.auto_approve.find((text) => {
      const pattern = typedPattern(text)
      return pattern?.types.has(type) && matchesPattern(pattern.name, name)
    })
  }

  /** Who is named as approver of a zone; null where nobody is, and whoever has the right may approve. */
  approversOf(zone: string): string[] | null {
    const named = this.#settings.zone_approvers
      .flatMap((text) => userPattern(text) ?? [])
      .filter(({ name }) => matchesPattern(name, zone))
    return named.length > 0 ? named.map(({ username }) => username) : null
  }

  /** Puts another policy into force, for tests; returns what ends that. */
  fake(other: Partial<ApprovalSettings>): () => void {
    const before = this.#settings
    this.#settings = { ...settings, ...other }
    return () => {
      this.#settings = before
    }
  }
}

/** The policy in force. */
export const approval = new ApprovalPolicy()
