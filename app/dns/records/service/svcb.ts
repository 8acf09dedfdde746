import { InvalidDns } from '#dns/errors'
import { hostName } from '#dns/names'
import { numberField } from '#dns/rdata/fields'
import type { RecordType } from '#dns/records/record_type'
import {
  ALPN,
  keyName,
  mandatoryKeys,
  NO_DEFAULT_ALPN_KEY,
  paramsFromWire,
  printSvcParams,
  readSvcParams,
  type SvcParam,
} from '#dns/records/service/svc_params'
import { svcWords } from '#dns/records/service/svc_text'

const FORM =
  'priority target key=value ..., such as 1 . alpn=h2,h3 or 0 www.example.org (RFC 9460, 2.1)'
const WIRE_LIMIT = 65535

interface ServiceBinding {
  head: string
  params: SvcParam[]
}

export const svcb = binding({
  type: 'SVCB',
  summary: 'The location and parameters of a service',
  example: '1 svc.example.net alpn=h2 port=8443',
  trap: 'Owner names of SVCB begin with the scheme, such as _dns.example.org; for web sites use HTTPS',
})

export const https = binding({
  type: 'HTTPS',
  summary: 'The protocols, port and addresses of a web site; also at an apex',
  example: '1 . alpn=h2,h3 ipv4hint=192.0.2.1',
  trap: 'A priority of 0 creates an alias, which has a target and no parameters',
})

function binding(about: Pick<RecordType, 'type' | 'summary' | 'example' | 'trap'>): RecordType {
  return {
    ...about,
    rfc: 'RFC 9460',
    priority: false,
    singleton: false,
    writer: 'editor',
    fields: ['priority', 'target', 'params'],
    parse: (content) => /^(\S+) (\S+)(?: (.*))?$/.exec(content)?.slice(1).filter(Boolean) ?? [],
    canonical(content) {
      const { head, params } = readBinding(content)
      return params.length === 0 ? head : `${head} ${printSvcParams(params)}`
    },
    fromWire(data) {
      const priority = data.reading('priority').number(2)
      const target = data.reading('target').name()
      return [priority, target, ...paramsFromWire(data.reading('params'))].join(' ')
    },
    present(content) {
      try {
        const { head, params } = readBinding(content)
        return params.length === 0 ? head : `${head} ${printSvcParams(params, true)}`
      } catch (error) {
        if (error instanceof InvalidDns) return content
        throw error
      }
    },
    targets(content) {
      const target = content.split(' ')[1]
      return !target || target === '.' ? [] : [target]
    },
  }
}

function readBinding(content: string): ServiceBinding {
  const [priorityText, targetText, ...words] = svcWords(content)
  if (targetText === undefined) {
    throw new InvalidDns('content', content, FORM, { problem: 'has no target' })
  }
  const priority = numberField(priorityText, 'priority', 65535, content)
  const target = hostName(targetText, 'content', { allowRoot: true })
  const params = readSvcParams(words, content)
  if (priority === 0) checkAlias(params, content)
  checkParams(params, content)
  const wire = params.reduce((sum, param) => sum + 4 + (param.wire?.length ?? 0), 4 + target.length)
  if (wire > WIRE_LIMIT) {
    throw new InvalidDns('content', content, `at most ${WIRE_LIMIT} bytes`, {
      problem: 'is too long',
    })
  }
  return { head: `${priority} ${target}`, params }
}

/** An alias without a target, `0 .`, means that the service does not exist (RFC 9460, 2.5.1). */
function checkAlias(params: SvcParam[], content: string): void {
  if (params.length > 0) {
    throw new InvalidDns('content', content, 'only a target (RFC 9460, 2.4.2)', {
      problem: 'has parameters, but is an alias (priority 0)',
    })
  }
}

function checkParams(params: SvcParam[], content: string): void {
  const codes = params.map(({ code }) => code)
  const missing = mandatoryKeys(params).find((code) => !codes.includes(code))
  if (missing !== undefined) {
    throw new InvalidDns('content', content, 'only keys that the record has (RFC 9460, 8)', {
      problem: `has no ${keyName(missing, true)}, which its "mandatory" lists`,
    })
  }
  if (codes.includes(NO_DEFAULT_ALPN_KEY) && !codes.includes(ALPN)) {
    throw new InvalidDns(
      'content',
      content,
      'no-default-alpn only together with alpn (RFC 9460, 7.1.1)',
      {
        problem: 'has no-default-alpn without alpn',
      }
    )
  }
}
