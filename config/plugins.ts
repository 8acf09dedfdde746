import { defineSettings, setting } from '#settings/define'

export default defineSettings('plugins', {
  providers: setting.stringList(
    [],
    {
      isItem: (text) => /^[@./\w][\w@./-]*$/.test(text),
      says: 'names of installed npm packages, or paths that begin with / or ./',
    },
    'Service providers of other packages, which bring DNS backends (docs/plugins.md). Their code runs with all rights of this service. A path that begins with ./ is looked up in the folder of .env.'
  ),
})
