"""The vendor's SDK against `evenkeel simulate`: PORT CA-FILE. Prints nothing if all is well."""

import sys
import warnings

warnings.simplefilter("ignore")
from avi.sdk.avi_api import ApiSession, ObjectNotFound

port, ca_file = int(sys.argv[1]), sys.argv[2]
api = ApiSession.get_session(
    "127.0.0.1", "admin", "simulated", tenant="admin", port=port, api_version="22.1.3", verify=ca_file
)


def check(reply, status):
    assert reply.status_code == status, f"{reply.url}: {reply.status_code} {reply.text}"
    return reply


def names(**options):
    return [pool["name"] for pool in api.get_objects_iter("pool", **options)]


for number in range(120):
    monitors = ["/api/healthmonitor?name=System-HTTP"]
    check(api.post("pool", data={"name": f"pool {number}", "health_monitor_refs": monitors}), 201)
assert names() == [f"pool {number}" for number in range(120)]

pool = api.get_object_by_name("pool", "pool 7")
server = {"ip": {"addr": "10.0.0.1", "type": "V4"}, "port": 80}
added = check(api.patch(f"pool/{pool['uuid']}", data={"add": {"servers": [server]}}), 200)
assert len(added.json()["servers"]) == 1
removed = check(api.patch(f"pool/{pool['uuid']}", data={"delete": {"servers": [server]}}), 200)
assert removed.json()["servers"] == []
check(api.put_by_name("pool", "pool 8", data=dict(api.get_object_by_name("pool", "pool 8"), enabled=False)), 200)
check(api.delete_by_name("pool", "pool 7"), 204)
assert api.get_object_by_name("pool", "pool 7") is None
try:
    api.get(f"pool/{pool['uuid']}").json()
    raise AssertionError("a deleted object was found")
except ObjectNotFound:
    pass

check(api.post("tenant", data={"name": "blue"}), 201)
check(api.post("pool", tenant="blue", data={"name": "pool 8"}), 201)
assert names(tenant="blue") == ["pool 8"]

# The SDK signs in again when its session has ended.
check(api.post("logout"), 200)
assert len(names()) == 119
