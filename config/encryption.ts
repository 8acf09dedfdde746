import { defineConfig, drivers } from '@adonisjs/core/encryption'
import env from '#support/env'

export default defineConfig({
  default: 'app',
  list: {
    app: drivers.aes256gcm({ keys: [env.get('APP_KEY')], id: 'zw' }),
  },
})
