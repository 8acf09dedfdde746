import { defineConfig } from '@adonisjs/core/hash'
import { PasswordHash } from '#accounts/passwords/driver'

export default defineConfig({
  default: 'password',
  list: {
    password: () => new PasswordHash(),
  },
})

declare module '@adonisjs/core/types' {
  export interface HashersList {
    password: () => PasswordHash
  }
}
