import { defineSettings, setting } from '#settings/define'

export default defineSettings('plugins', {
  providers: setting.stringList(
    [],
    {
      isItem: (text) => /^[@./\w][\w@./-]*$/.test(text),
      says: 'names of installed npm packages, or paths that begin with / or ./',
    },
    'Service providers of other packages with DNS backends (docs/reference/plugins.md). Their code has all rights of this service. A path that begins with ./ is relative to the folder of .env.'
  ),
})
