import { lua } from '#dns/records/text/lua'
import { naptr } from '#dns/records/service/naptr'
import type { RecordType } from '#dns/records/record_type'
import { https, svcb } from '#dns/records/service/svcb'
import { uri } from '#dns/records/service/uri'

export const serviceTypes: RecordType[] = [https, lua, naptr, svcb, uri]
