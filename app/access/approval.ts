import settings from '#config/approval'
import { matchesPattern, matchesWithin } from '#dns/names/name_patterns'
import { namedPattern, typedPattern, userPattern } from '#dns/names/policy_patterns'

/** The settings `approval.*`. */
export type ApprovalSettings = { -readonly [Key in keyof typeof settings]: (typeof settings)[Key] }

/** Message for a direct write that needs review. Clients search for it. */
export const APPROVAL_NEEDED_MESSAGE =
  'Changes to this zone require approval; create a change request instead'

class ApprovalPolicy {
  #settings: ApprovalSettings = settings

  get settings(): ApprovalSettings {
    return this.#settings
  }

  get isEnabled(): boolean {
    return this.#settings.enabled
  }

  /** Whether every change needs review, for every actor. */
  get isRequiredForAll(): boolean {
    return this.isEnabled && this.#settings.require_review_for_all
  }

  /** Returns whether records of this name can be changed by review only. */
  isProtected(name: string): boolean {
    return (
      this.isEnabled &&
      this.#settings.protected_names.some((text) => matchesPattern(namedPattern(text) ?? '', name))
    )
  }

  /** Returns whether records of a name at or below this one can be changed by review only. */
  hasProtectedName(apex: string): boolean {
    return (
      this.isEnabled &&
      this.#settings.protected_names.some((text) => matchesWithin(namedPattern(text) ?? '', apex))
    )
  }

  /** Returns the setting entry that exempts an RRset from review; undefined if none does. */
  exemptionOf(name: string, type: string): string | undefined {
    if (this.isProtected(name)) {
      return undefined
    }
    return this.#settings.auto_approve.find((text) => {
      const pattern = typedPattern(text)
      return pattern?.types.has(type) && matchesPattern(pattern.name, name)
    })
  }

  /** Returns the named approvers of a zone; null if every actor with the right may approve. */
  approversOf(zone: string): string[] | null {
    const named = this.#settings.zone_approvers
      .flatMap((text) => userPattern(text) ?? [])
      .filter(({ name }) => matchesPattern(name, zone))
    return named.length > 0 ? named.map(({ username }) => username) : null
  }

  /** Replaces the settings in tests; returns a function that restores them. */
  fake(other: Partial<ApprovalSettings>): () => void {
    const before = this.#settings
    this.#settings = { ...settings, ...other }
    return () => {
      this.#settings = before
    }
  }
}

/** One instance per process. */
export const approval = new ApprovalPolicy()
