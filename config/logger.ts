import { defineConfig } from '@adonisjs/core/logger'
import logging from '#config/logging'
import { loggedError } from '#exceptions/logged_error'

export default defineConfig({
  default: 'app',
  loggers: {
    app: {
      enabled: true,
      name: 'zonewright',
      level: logging.level,
      destination: process.stderr,
      serializers: { err: loggedError },
    },
  },
})
