import type { Program, Verdict } from '#tests/support/zone_checkers/programs'
import { PROGRAMS } from '#tests/support/zone_checkers/programs'

/** A known reason for different verdicts about a zone file. */
interface Reason {
  /** Matches the message of the program that refuses the file. */
  says: RegExp
  /** Matches the zone file, if the message alone is ambiguous. */
  text?: RegExp
  because: string
}

/** Files that the product refuses and all programs accept. */
const STRICTER: readonly Reason[] = [
  {
    says: /which PowerDNS does not serve in names/,
    because: 'pdns_server drops queries for such names',
  },
  { says: /is an alias \(CNAME\) and cannot be/, because: 'RFC 2181, 10.3; RFC 2782' },
  { says: /points to its own name/, because: 'RFC 1034, 3.6.2: an alias of itself is a loop' },
  {
    says: /has no valid ech;/,
    because: 'RFC 9848: an ECHConfigList; the programs look at base64 only',
  },
  { says: /has no valid protocol;/, because: 'RFC 4034, 2.1.2: the protocol is 3' },
  { says: /has no valid flags;/, because: 'RFC 4034, 2.1.1: other flags are reserved and 0' },
  {
    says: /has no valid target; .*URI/,
    because: 'RFC 7553, 4.4: the target is a URI and not empty',
  },
  {
    says: /has no valid certificate data;/,
    because: 'RFC 6698, 2.1.3: the matching type tells how long a digest is',
  },
  { says: /"2147483648" is not a duration/, because: 'RFC 2181, 8: up to 2147483647' },
  {
    says: /has no valid digest;/,
    because: 'RFC 4034, 5.1.4; RFC 8976, 2.2.4: its type tells how long a digest is',
  },
  {
    says: /a CNAME must be the only record/,
    text: /[^ -~\s]/,
    because: 'a name in UTF-8 is its A-label',
  },
  { says: /is not the priority of a null MX/, because: 'RFC 7505, 3' },
  { says: /has no valid prefix/, because: 'RFC 3123, 4.1: the length of a prefix' },
  {
    says: /host name: labels/,
    text: /IPSECKEY 10 3 2 \. /i,
    because: 'RFC 4025, 2.3: "." is written where there is no gateway',
  },
  {
    says: /"(MB|MG)" is not a supported record type/,
    because: 'RFC 1035, 3.3.3: experimental; written as TYPE7 and TYPE8',
  },
  { says: /the MX record "\." must be the only MX record/, because: 'RFC 7505, 3' },
  { says: /cannot be both redirected \(DNAME\) and delegated/, because: 'RFC 6672, 2.3' },
]

/** Files that the product and some programs refuse, and other programs accept. */
const STRICT: readonly Reason[] = [
  ...STRICTER,
  {
    says: /is not a priority|from 0 to \d+|has no valid \S+( \S+)?; allowed: [^;]*\d to \d+ \(or|one of 0/,
    because: 'numbers beyond their field: NSD cuts them off',
  },
  {
    says: /is not a duration|Field 'ttl'/,
    because: 'times without digits or with other units; NSD takes "h"',
  },
  {
    says: /is outside the zone/,
    because: 'named leaves records of other zones out; NSD refuses them',
  },
  {
    says: /has a DNAME record, so no records are allowed below it/,
    because: 'RFC 6672, 2.4; named and PowerDNS do not look',
  },
  { says: /needs PowerDNS \d/, because: 'the configured version of PowerDNS lacks the type' },
  { says: /has an invalid counter/, because: 'text after the base; pdnsutil ignores it' },
  {
    says: /offset that results in a number below 0/,
    because: 'negative counters have no common form',
  },
  { says: /is a type for queries/, because: 'RFC 6895, 3.1: such a type has no data' },
  { says: /is not a supported record type/, because: 'PowerDNS has no presentation form of it' },
  { says: /a name can have at most one \S+ record/, because: 'RFC 2181, 10.1' },
  { says: /cannot have an SOA record/, because: 'RFC 1035, 3.3.13; pdnsutil leaves it out' },
  { says: /of a zone belong in its parent zone/, because: 'RFC 4035, 2.4' },
  {
    says: /is a second, different SOA/,
    because: 'RFC 1035, 5.2: one SOA; pdnsutil takes the last',
  },
  { says: /second class|is not the class|Field 'class'/, because: 'RFC 1035, 5.1: one class, IN' },
  { says: /an invalid escape/, because: 'RFC 1035, 5.1: \\DDD is a byte of three digits' },
  { says: /Field 'syntax'/, because: 'quotes and parentheses end on their line, or in the file' },
  {
    says: /has no \S+( \S+)?; allowed|is empty; allowed|has no \S+, which|more than \d+ fields?/,
    because: 'too few or too many fields: pdnsutil does not count them',
  },
  {
    says: /which must be written as \\032/,
    because: 'two words are no host name; pdnsutil makes them one with a blank',
  },
  { says: /is not an IPv[46] address/, because: 'octets with leading zeros, or in quotes' },
  { says: /has no valid fingerprint;/, because: 'the length of a digest follows from its type' },
  { says: /has no valid public key;/, because: 'RFC 8078, 4' },
  { says: /has no valid (cpu|os|data);/, because: 'RFC 1035, 3.3; RFC 4701: length' },
  { says: /has no valid (latitude|longitude);/, because: 'RFC 1876, 3: degrees on the globe' },
  {
    says: /is not a CAA content|has the tag "\S+", which is not a valid tag/,
    because: 'RFC 8659, 4.1',
  },
  {
    says: /has no valid (alpn|key\d+)|has the key|without alpn|has parameters, but is an alias/,
    because: 'RFC 9460: the programs check only some keys',
  },
  {
    says: /has the length \d+, but \d+ bytes of data|has data that ends within/,
    because: 'RFC 3597, 5: NSD does not compare the length',
  },
  { says: /a CNAME must be the only record|has a CNAME/, because: 'RFC 1034, 3.6.2' },
]

/** Files that the product accepts, by the program that refuses them. */
const LENIENT: Readonly<Record<Program, readonly Reason[]>> = {
  named: [
    {
      says: /extra input text/,
      text: /\$(GENERATE|TTL|ORIGIN).*$/i,
      because: 'a directive in a last line without its end',
    },
    { says: /has no NS records/, because: 'the product warns (apex-ns)' },
    { says: /has no address records/, because: 'the product warns (glue-missing)' },
    { says: /invalid NS owner name \(wildcard\)/, because: 'the product warns (wildcard-ns)' },
    {
      says: /bad (owner )?name \(check-names\)/,
      because: 'hosts with "_" resolve; check-names is a setting',
    },
    { says: /has expired/, because: 'RRSIG records are left out; the server writes them' },
    { says: /CDS\/CDNSKEY consistency/, because: 'PowerDNS makes these from its keys' },
    { says: /invalid use of a meta type/, because: 'TSIG and TKEY records are left out' },
    {
      says: /using RFC1035 TTL|no TTL specified/,
      because: 'the product takes dns.ttl, with a warning',
    },
    {
      says: /bad (hex|base64) encoding/,
      because: 'RFC 8078, 4 (erratum 5049): 0 0 0 0 and 0 3 0 0',
    },
    { says: /:\d+: syntax error/, because: 'a long text is split, a URI is quoted' },
    { says: /near '.*\/': syntax error/, because: 'a URI is quoted' },
    {
      says: /below a DNAME|is a CNAME \(illegal\)/,
      because: 'the product has a rule that says so',
    },
  ],
  nsd: [
    { says: /syntax error/, text: /TXT @$/m, because: 'NSD takes no bare @ for a text' },
    { says: /Unknown directive: \$GENERATE/, because: '$GENERATE is of BIND; NSD has none' },
    { says: /\$ORIGIN directive requires/, because: 'RFC 1035, 5.1: an origin may be relative' },
    { says: /nested parentheses/, because: 'named takes them; they change nothing' },
    {
      says: /text string is longer than/,
      because: 'a long text is split, with a warning (txt-split)',
    },
    { says: /SOA record was already/, because: 'the same SOA ends a transfer (RFC 5936, 2.2)' },
    { says: /out of zone data/, because: 'left out with a warning' },
  ],
  pdnsutil: [
    {
      says: /Unable to parse DNS name '.*\\'/,
      because: 'RFC 1035, 5.1: "\\ " is a blank in a name',
    },
    {
      says: /should start with quote|expected (x?digits)|need 3 fields/,
      because:
        'pdnsutil reads no words without quotes, mnemonics or generic data; the product writes its form',
    },
    {
      says: /doesn't look like a qtype/,
      because: 'pdnsutil reads no units, CLASS1 or "(" before a type',
    },
    {
      says: /trailing data was not parsed/,
      because: 'pdnsutil reads no "." as gateway of IPSECKEY',
    },
    { says: /is not recognized or in keyNNNN/, because: 'keys registered after this version' },
    { says: /Duplicate record found/, because: 'the second is dropped' },
    {
      says: /TTL mismatch in rrset/,
      because: 'RFC 2181, 5.2: the product makes them equal, with a warning',
    },
    { says: /No NS record at zone apex/, because: 'the product warns (apex-ns)' },
    { says: /which is not part of zone/, because: '$ORIGIN sub: pdnsutil takes it for absolute' },
  ],
}

/** Message of the product: the file has records that only the name server writes. They are ignored. */
const LEFT_OUT = /(left out|skipped)/

/** Verdicts about a file. Each program that differs from the product has a reason. */
export interface Comparison {
  group: 'all accept' | 'all refuse' | 'programs disagree'
  isAccepted: boolean
  /** Absent for a difference without a known reason. */
  reasons: { program: Program; because?: string }[]
}

/** Compares the verdicts about one file. A program that did not end has no verdict. */
export function compare(
  text: string,
  product: Verdict,
  verdicts: Readonly<Record<Program, Verdict>>
): Comparison {
  const ended = PROGRAMS.filter((program) => verdicts[program].isAccepted !== null)
  const accepting = ended.filter((program) => verdicts[program].isAccepted)
  const group =
    accepting.length === ended.length
      ? 'all accept'
      : accepting.length === 0
        ? 'all refuse'
        : 'programs disagree'
  const differing = ended.filter((program) => verdicts[program].isAccepted !== product.isAccepted)
  const strict = group === 'all accept' ? STRICTER : STRICT
  return {
    group,
    isAccepted: product.isAccepted === true,
    reasons: differing.map((program) => {
      const because = product.isAccepted
        ? leniency(text, program, product, verdicts[program])
        : find(strict, product.says, text)
      return { program, because }
    }),
  }
}

function leniency(
  file: string,
  program: Program,
  product: Verdict,
  verdict: Verdict
): string | undefined {
  return LEFT_OUT.test(product.says)
    ? 'records that only the name server writes are left out, with a warning'
    : find(LENIENT[program], verdict.says, file)
}

function find(reasons: readonly Reason[], words: string, file: string): string | undefined {
  return reasons.find(
    ({ says: expectedText, text }) => expectedText.test(words) && (text?.test(file) ?? true)
  )?.because
}
