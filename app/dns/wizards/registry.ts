import { caa } from '#dns/wizards/caa'
import { dkim } from '#dns/wizards/dkim'
import { dmarc } from '#dns/wizards/dmarc'
import { mail } from '#dns/wizards/mail'
import { spf } from '#dns/wizards/spf'
import { srv } from '#dns/wizards/srv'
import { tlsa } from '#dns/wizards/tlsa'
import { verification } from '#dns/wizards/verification'
import type { Wizard } from '#dns/wizards/wizard'

/** All wizards, in the order of the menu. */
export const WIZARDS: readonly Wizard[] = [mail, spf, dkim, dmarc, caa, tlsa, srv, verification]

/** Returns the wizard with this kind; undefined if it does not exist. */
export function wizardOf(kind: string): Wizard | undefined {
  return WIZARDS.find((wizard) => wizard.kind === kind)
}
