import { defineConfig } from '@adonisjs/core/logger'
import logging from '#config/logging'

export default defineConfig({
  default: 'app',
  loggers: {
    app: {
      enabled: true,
      name: 'zonewright',
      level: logging.level,
      destination: process.stderr,
    },
  },
})
