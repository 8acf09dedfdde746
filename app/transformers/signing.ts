import type { SigningKey, SigningState } from '#backends/contract/backend'
import { isEntryPoint, keyTag, roleOf } from '#dns/dnssec/key_roles'
import { algorithmName } from '#dns/dnssec/signing_algorithms'
import type { NewZoneSigning } from '#zones/dnssec/sign_new_zone'
import { isSigned } from '#zones/dnssec/signing_context'

/** The signing state of a zone. An unsigned zone has no DS records. */
export function signingStatus(state: SigningState) {
  const keys = isSigned(state) ? state.keys : []
  return {
    enabled: isSigned(state),
    presigned: state.isPresigned,
    ds_records: keys.flatMap(({ ds }) => ds.map(dsRecord)),
    dnskey: keys.find(({ ds }) => ds.length > 0)?.dnskey ?? null,
  }
}

/** Members about the signing of a new zone; none if it was not requested. */
export function birthSigning(signing: NewZoneSigning | null) {
  if (!signing) {
    return {}
  }
  const { outcome, reason } = signing
  return { dnssec: outcome, ...(reason === null ? {} : { dnssec_message: reason }) }
}

/** A key of a zone. */
export function signingKeyItem(key: SigningKey, keys: readonly SigningKey[]) {
  return {
    id: key.id,
    type: roleOf(key, keys),
    keytag: keyTag(key.dnskey),
    algorithm: algorithmName(key.algorithm),
    algorithm_id: key.algorithm,
    bits: key.bits,
    active: key.active,
    sep: isEntryPoint(key),
    dnskey: key.dnskey,
    ds: key.ds,
  }
}

function dsRecord(text: string) {
  const [tag, algorithm, digestType, ...digest] = text.split(/\s+/)
  return {
    key_tag: Number(tag),
    algorithm: Number(algorithm),
    digest_type: Number(digestType),
    digest: digest.join('').toLowerCase(),
  }
}

/** The message of a change of signing, with the error of the name server in a follow-up. */
export function signingMessage(done: string, unfinished: string | null): string {
  return unfinished === null
    ? done
    : `${done}; the name server refused the next step: ${unfinished}`
}
