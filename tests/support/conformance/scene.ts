import type { Assert } from '@japa/assert'
import type { ApiClient } from '@japa/api-client'
import { approval, type ApprovalSettings } from '#access/approval'
import type { Permission } from '#access/permissions'
import { unique, zoneNamed } from '#tests/support/app/names'
import {
  administrator,
  keyFor,
  person,
  type Person,
  type Restrictions,
} from '#tests/support/app/people/people'
import { askingAt, asking, type Answer, type Ask } from '#tests/support/conformance/ask'
import { atServer, type ServerKind } from '#tests/support/conformance/servers'

interface Context {
  client: ApiClient
  assert: Assert
  cleanup: (work: () => void | Promise<void>) => void
}

type Credentials = { key: string } | Record<string, string>

const headersOf = (credentials: Credentials): Record<string, string> =>
  typeof credentials.key === 'string' ? { 'x-api-key': credentials.key } : credentials

let firstAdministrator: Promise<Person> | undefined

/** The context of a check: callers, objects and assertions. */
export class Scene {
  readonly assert: Assert
  /** Registers cleanup for the end of the check. */
  readonly cleanup: Context['cleanup']
  /** Requests of an administrator to the server under test. */
  readonly root: Ask

  private constructor(
    private readonly context: Context,
    readonly admin: Person
  ) {
    this.assert = context.assert
    this.cleanup = context.cleanup
    this.root = this.as(admin)
  }

  static async of(context: Context): Promise<Scene> {
    firstAdministrator ??= administrator()
    return new Scene(context, await firstAdministrator)
  }

  /** Requests to the server under test with this key or these headers; anonymous without either. */
  readonly as = (credentials: Credentials = {}): Ask => {
    return asking(this.context.client, headersOf(credentials))
  }

  /** Requests to a server with other settings, by default as an administrator. */
  readonly at = async (kind: ServerKind, credentials: Credentials = this.admin): Promise<Ask> => {
    return (...words) =>
      atServer(kind, ({ url }) => askingAt(url, headersOf(credentials))(...words))
  }

  /** Creates a user with exactly these permissions. */
  readonly someone = (...permissions: Permission[]): Promise<Person> => {
    return person({ permissions })
  }

  /** Requests with a restricted key of the administrator or of another user. */
  readonly narrowed = async (
    restrictions: Restrictions,
    user: Person = this.admin
  ): Promise<Ask> => {
    return this.as(await keyFor(user, restrictions))
  }

  /** Enables review until the check ends. */
  readonly review = (settings: Partial<ApprovalSettings> = {}): void => {
    this.context.cleanup(approval.fake({ enabled: true, ...settings }))
  }

  /** Asserts the status and the message of a response, and returns the response. */
  readonly want = async (status: number, asked: Promise<Answer>, words: RegExp = /(?:)/) => {
    const answer = await asked
    this.assert.equal(answer.status, status, answer.text)
    this.assert.match(String(answer.body?.message ?? ''), words)
    return answer
  }

  /** Asserts the status, and returns `data` of the body. */
  readonly data = async (status: number, asked: Promise<Answer>) => {
    const { body } = await this.want(status, asked)
    return body.data
  }

  /** Creates a zone of the administrator, unless the input names other owners. */
  readonly zone = async (input: Record<string, unknown> = {}, sendRequest: Ask = this.root) => {
    const name = zoneNamed('conform')
    const { zone_id: id } = await this.data(201, sendRequest('POST', '/zones', { name, ...input }))
    return { id: id as number, name: String(input.name ?? name), path: `/zones/${id}` }
  }

  /** Creates a secondary zone, which is read-only. */
  readonly secondary = () => {
    return this.zone({ type: 'SLAVE', master: '192.0.2.53' })
  }

  /** Creates a record. */
  readonly record = async (
    zone: { path: string },
    name: string,
    type: string,
    content: string,
    more = {}
  ) => {
    const body = { name, type, content, ...more }
    const { record } = await this.data(201, this.root('POST', `${zone.path}/records`, body))
    return { ...record, path: `${zone.path}/records/${record.id}` }
  }

  /** Creates a zone with an NS record at its apex, so that it can be signed. */
  readonly signable = async (input: Record<string, unknown> = {}) => {
    const zone = await this.zone(input)
    await this.record(zone, '@', 'NS', 'ns1.example.net')
    return zone
  }

  /** Creates a user over the API. */
  readonly user = async (overrides: object = {}, sendRequest: Ask = this.root) => {
    const username = unique('conform')
    const body = { username, password: 'Secret-123-of-tests', ...overrides }
    const { user_id: id, groups } = await this.data(201, sendRequest('POST', '/users', body))
    return { id: id as number, username, groups, path: `/users/${id}` }
  }

  /** Creates a permission template of these permission ids over the API. */
  readonly template = async (permissions: number[] = [], type: 'user' | 'group' = 'user') => {
    const body = {
      name: unique('conform'),
      descr: 'made by a check',
      template_type: type,
      permissions,
    }
    const { id } = await this.data(201, this.root('POST', '/permission-templates', body))
    return { id: id as number, name: body.name, path: `/permission-templates/${id}` }
  }

  /** Creates a group over the API. */
  readonly group = async (name: string = unique('conform')) => {
    const { id: template } = await this.template([], 'group')
    const body = { name, perm_templ_id: template, description: 'of a check' }
    const { group } = await this.data(201, this.root('POST', '/groups', body))
    return { id: group.id as number, name: body.name, path: `/groups/${group.id}` }
  }

  /** Creates a zone template over the API. */
  readonly zoneTemplate = async (overrides: object = {}) => {
    const body = { name: unique('conform'), description: 'of a check', ...overrides }
    const { id } = await this.data(201, this.root('POST', '/zone-templates', body))
    return { id: id as number, name: body.name, path: `/zone-templates/${id}` }
  }
}
