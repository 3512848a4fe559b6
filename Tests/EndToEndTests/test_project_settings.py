"""Settings that administrators change while the service runs."""

import json

from support import configuration
from support.mail import free_port

ADMIN = {"Authorization": f"Bearer {configuration.ADMIN_TOKEN}", "Content-Type": "application/json"}


def test_settings_that_administrators_change_outlive_a_restart(start_serve, address):
    """Project settings in the database go before the configuration file, as long as it says so."""
    service = start_serve(
        configuration.smtp(free_port()), configuration.project("open", configInDatabase=True), configuration.project("fixed"))
    path = "/v2/projects/{}/config?updateMask=client.permissions,signIn"
    change = {"client": {"permissions": {"disabledUserSignup": True}}, "signIn": {"email": {"passwordRequired": True}}}
    refused = service.client.request("PATCH", path.format("fixed"), json.dumps(change), ADMIN)
    assert "configInDatabase" in refused.refusal()["message"]
    answer = service.client.request("PATCH", path.format("open"), json.dumps(change), ADMIN)
    assert answer.ok()["client"]["permissions"]["disabledUserSignup"] is True
    for restart in False, True:
        if restart:
            service.postern.kill()
            service.postern.start()
            assert "settings in the database go before" in service.postern.stderr
        assert service.of("open").send_link(address()).code() == "OPERATION_NOT_ALLOWED"
        assert service.of("fixed").send_link(address()).status == 200
    service.postern.stop()
    service.settings["projects"][0]["configInDatabase"] = False
    configuration.write(service.config, service.settings)
    service.postern.start()
    assert service.of("open").send_link(address()).status == 200
