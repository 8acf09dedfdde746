import { runProgram } from '#tests/support/programs'

/** One record of a response in the format of `dig`. Names are absolute with a final dot. */
export interface AnsweredRecord {
  name: string
  ttl: number
  type: string
  data: string
}

/** Response of a name server. */
export interface DnsAnswer {
  /** NOERROR, NXDOMAIN, REFUSED ... */
  status: string
  /** Lower case: qr, aa, tc, rd ... */
  flags: string[]
  answers: AnsweredRecord[]
  authority: AnsweredRecord[]
  additional: AnsweredRecord[]
}

const SECTIONS: Record<string, 'answers' | 'authority' | 'additional'> = {
  ';; ANSWER SECTION:': 'answers',
  ';; AUTHORITY SECTION:': 'authority',
  ';; ADDITIONAL SECTION:': 'additional',
}

function parseRecord(line: string): AnsweredRecord {
  const [name, ttl, , type, ...data] = line.split(/\s+/)
  return { name, ttl: Number(ttl), type, data: data.join(' ') }
}

/** Parses the output of `dig +comments +answer +authority +additional`. */
export function parseDig(text: string): DnsAnswer {
  const answer: DnsAnswer = { status: '', flags: [], answers: [], authority: [], additional: [] }
  let section: AnsweredRecord[] | null = null
  for (const line of text.split('\n')) {
    if (line in SECTIONS) {
      section = answer[SECTIONS[line]]
    } else if (line === '' || line.startsWith(';')) {
      answer.status = /status: (\w+),/.exec(line)?.[1] ?? answer.status
      const flags = /^;; flags: ([a-z ]*);/.exec(line)
      answer.flags = flags ? flags[1].split(' ').filter(Boolean) : answer.flags
    } else {
      section?.push(parseRecord(line))
    }
  }
  if (answer.status === '') {
    throw new Error(`dig had no answer:\n${text}`)
  }
  return answer
}

/** Queries the name server on `port` of 127.0.0.1 with the real `dig`. Names need no final dot. */
export async function query(
  port: number,
  name: string,
  type: string,
  options: { tcp?: boolean; dnssec?: boolean } = {}
): Promise<DnsAnswer> {
  const output = await runProgram('dig', [
    '-r',
    '@127.0.0.1',
    '-p',
    String(port),
    '-q',
    name.endsWith('.') ? name : `${name}.`,
    '-t',
    type,
    '+norecurse',
    '+noall',
    '+comments',
    '+answer',
    '+authority',
    '+additional',
    '+nosplit',
    '+tries=3',
    '+time=3',
    options.tcp ? '+tcp' : '+notcp',
    options.dnssec ? '+dnssec' : '+nodnssec',
  ])
  return parseDig(output)
}
