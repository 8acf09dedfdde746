import { defineConfig } from '@adonisjs/core/bodyparser'

// Forms of the web interface only, after FormBodyMiddleware. The API reads its bodies itself.
export default defineConfig({
  allowedMethods: ['POST'],
  form: {
    limit: '4mb',
    // Fields have flat names, and drafts are JSON in one of them. What takes many of them costs their square.
    queryString: { arrayLimit: 1_000, parameterLimit: 2_000, depth: 1 },
    convertEmptyStringsToNull: false,
    trimWhitespaces: false,
    types: ['application/x-www-form-urlencoded'],
  },
  json: { types: [] },
  multipart: { autoProcess: false, types: [] },
  raw: { types: [] },
})
