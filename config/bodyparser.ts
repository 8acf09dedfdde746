import { defineConfig } from '@adonisjs/core/bodyparser'

// For forms of the web interface, after FormBodyMiddleware. The API parses its bodies itself.
export default defineConfig({
  allowedMethods: ['POST'],
  form: {
    limit: '4mb',
    // Fields have flat names, and drafts are JSON in one field. The parser takes quadratic time, so their number is limited.
    queryString: { arrayLimit: 1_000, parameterLimit: 2_000, depth: 1 },
    convertEmptyStringsToNull: false,
    trimWhitespaces: false,
    types: ['application/x-www-form-urlencoded'],
  },
  json: { types: [] },
  multipart: { autoProcess: false, types: [] },
  raw: { types: [] },
})
