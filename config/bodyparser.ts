import { defineConfig } from '@adonisjs/core/bodyparser'

// Forms of the web interface only: its routes alone have the middleware. The API reads its bodies itself.
export default defineConfig({
  allowedMethods: ['POST'],
  form: {
    limit: '4mb',
    queryString: { arrayLimit: 10_000, parameterLimit: 50_000, depth: 5 },
    convertEmptyStringsToNull: false,
    trimWhitespaces: false,
    types: ['application/x-www-form-urlencoded'],
  },
  json: {
    limit: '4mb',
    strict: true,
    convertEmptyStringsToNull: false,
    types: ['application/json'],
  },
  multipart: { autoProcess: false, types: [] },
  raw: { types: [] },
})
