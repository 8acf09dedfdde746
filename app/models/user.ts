import { BaseModel, column } from '@adonisjs/lucid/orm'

/** An account. Timestamps are ISO 8601 text in UTC. */
export default class User extends BaseModel {
  static table = 'zw_users'

  @column({ isPrimary: true })
  declare id: number

  @column()
  declare username: string

  /** Skeleton of the name (`nameSkeleton`); null if another user has the same. */
  @column({ serializeAs: null })
  declare usernameSkeleton: string | null

  /** PHC text of the password's hash; null where the account cannot sign in with a password. */
  @column({ serializeAs: null })
  declare password: string | null

  @column()
  declare fullname: string

  @column()
  declare email: string | null

  @column()
  declare description: string

  @column()
  declare permissionTemplateId: number

  @column({ consume: Boolean })
  declare active: boolean

  @column()
  declare authMethod: string

  @column()
  declare createdAt: string

  @column()
  declare updatedAt: string
}
