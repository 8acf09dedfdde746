import app from '@adonisjs/core/services/app'
import router from '@adonisjs/core/services/router'
import { signedInPages, pages } from '#start/web/sign_in'

const ForgottenPasswordController = () =>
  import('#controllers/web/session/forgotten_password_controller')
const AccountSessionsController = () =>
  import('#controllers/web/accounts/account_sessions_controller')
const PasswordController = () => import('#controllers/web/accounts/password_controller')
const PasswordResetController = () => import('#controllers/web/session/password_reset_controller')
const PreferencesController = () => import('#controllers/web/accounts/preferences_controller')
const SecondFactorController = () => import('#controllers/web/accounts/second_factor_controller')
const SessionController = () => import('#controllers/web/session/session_controller')
const SignInCodeController = () => import('#controllers/web/session/sign_in_code_controller')
const StyleguideController = () => import('#controllers/web/home/styleguide_controller')

/** Sign-in, and the account of the user. */
export function accountPages(): void {
  pages(() => {
    router.get('/login', [SessionController, 'create'])
    router.post('/login', [SessionController, 'store'])
    router.get('/login/code', [SignInCodeController, 'create'])
    router.post('/login/code', [SignInCodeController, 'store'])
    router.get('/password/forgotten', [ForgottenPasswordController, 'create'])
    router.post('/password/forgotten', [ForgottenPasswordController, 'store'])
    router.get('/password/forgotten/sent', [ForgottenPasswordController, 'showSent'])
    router.get('/password/reset', [PasswordResetController, 'edit'])
    router.post('/password/reset', [PasswordResetController, 'update'])
    if (!app.inProduction) {
      router.get('/styleguide', [StyleguideController])
    }
  })

  signedInPages(() => {
    router.post('/logout', [SessionController, 'destroy'])
    router.get('/account/preferences', [PreferencesController, 'edit'])
    router.post('/account/preferences', [PreferencesController, 'update'])
    router.get('/account/password', [PasswordController, 'edit'])
    router.post('/account/password', [PasswordController, 'update'])
    router.get('/account/second-factor', [SecondFactorController, 'show'])
    router.post('/account/second-factor', [SecondFactorController, 'store'])
    router.post('/account/second-factor/recovery-codes', [SecondFactorController, 'renew'])
    router.post('/account/second-factor/off', [SecondFactorController, 'destroy'])
    router.get('/account/sessions', [AccountSessionsController, 'index'])
    router.post('/account/sessions/end-others', [AccountSessionsController, 'destroyOthers'])
    router.post('/account/sessions/:id/end', [AccountSessionsController, 'destroy'])
  })
}
