import type { Section } from '#tests/support/conformance/check'
import { apiKeys, headers, httpBasic } from './authentication.js'
import { dnssec } from './dnssec.js'
import { endpoints } from './endpoints.js'
import { errors, limits } from './errors.js'
import { filters } from './filters.js'
import { health, removed, versioning } from './health.js'
import { paging, sorting } from './lists.js'
import { records } from './records.js'
import { resources } from './resources.js'
import { restrictions } from './restrictions.js'
import { changeRequests, dynamicDns, serverStatus } from './server.js'
import { service } from './service.js'
import { states } from './states.js'
import { memberships, templates } from './users.js'
import { zones } from './zones.js'
import { zoneTemplates } from './zone_templates.js'

/** Sections in the order of the specification. */
export const SECTIONS: Section[] = [
  service,
  resources,
  states,
  endpoints,
  zones,
  dnssec,
  serverStatus,
  dynamicDns,
  changeRequests,
  records,
  templates,
  memberships,
  zoneTemplates,
  health,
  removed,
  paging,
  sorting,
  filters,
  apiKeys,
  restrictions,
  httpBasic,
  headers,
  errors,
  limits,
  versioning,
]
