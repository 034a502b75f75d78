"""Drives the server with the official Kubernetes client for Python. Fails with a traceback."""

import threading
import time
import warnings

from kubernetes import client, config, dynamic, watch
from kubernetes.client.rest import ApiException

warnings.simplefilter("error")
config.load_kube_config()
core = client.CoreV1Api()
batch = client.BatchV1Api()
custom = client.CustomObjectsApi()
QUEUES = ("kueue.x-k8s.io", "v1beta2", "clusterqueues")


def job(name):
    container = client.V1Container(name="main", image="busybox", command=["true"])
    template = client.V1PodTemplateSpec(
        spec=client.V1PodSpec(restart_policy="Never", containers=[container])
    )
    return client.V1Job(
        metadata=client.V1ObjectMeta(name=name, labels={"app": name}),
        spec=client.V1JobSpec(template=template, suspend=True),
    )


def refused(code, reason, call, *arguments, **options):
    try:
        call(*arguments, **options)
    except ApiException as error:
        assert error.status == code, error
        assert reason in error.body, error
        return
    raise AssertionError(f"not rejected: {call.__name__}")


def typed_objects():
    core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name="team")))
    made = batch.create_namespaced_job("team", job("one"))
    assert made.metadata.uid and made.spec.suspend
    refused(409, "AlreadyExists", batch.create_namespaced_job, "team", job("one"))
    made.spec.suspend = False
    replaced = batch.replace_namespaced_job("one", "team", made)
    assert replaced.spec.suspend is False
    refused(409, "Conflict", batch.replace_namespaced_job, "one", "team", made)
    patched = batch.patch_namespaced_job("one", "team", {"metadata": {"labels": {"x": "y"}}})
    assert patched.metadata.labels == {"app": "one", "x": "y"}, patched.metadata.labels
    batch.patch_namespaced_job_status("one", "team", {"status": {"active": 1}})
    assert batch.read_namespaced_job("one", "team").status.active == 1
    refused(404, "NotFound", batch.read_namespaced_job, "two", "team")


def lists():
    for name in ("two", "three"):
        batch.create_namespaced_job("team", job(name))
    page = batch.list_namespaced_job("team", limit=2)
    assert len(page.items) == 2 and page.metadata._continue, page.metadata
    rest = batch.list_namespaced_job("team", limit=2, _continue=page.metadata._continue)
    names = sorted(item.metadata.name for item in page.items + rest.items)
    assert names == ["one", "three", "two"], names
    selected = batch.list_job_for_all_namespaces(label_selector="app in (two)")
    assert [item.metadata.name for item in selected.items] == ["two"]


def watches():
    version = batch.list_namespaced_job("team").metadata.resource_version

    def change():
        time.sleep(0.2)
        batch.create_namespaced_job("team", job("four"))
        batch.delete_namespaced_job("four", "team", propagation_policy="Background")

    changer = threading.Thread(target=change)
    changer.start()
    seen = []
    stream = watch.Watch().stream(
        batch.list_namespaced_job, "team", resource_version=version, timeout_seconds=20
    )
    for event in stream:
        seen.append((event["type"], event["object"].metadata.name))
        if event["type"] == "DELETED":
            break
    changer.join()
    assert seen[0] == ("ADDED", "four") and seen[-1] == ("DELETED", "four"), seen


def custom_objects():
    queue = {
        "apiVersion": "kueue.x-k8s.io/v1beta2",
        "kind": "ClusterQueue",
        "metadata": {"name": "q"},
        "spec": {"namespaceSelector": {}},
    }
    custom.create_cluster_custom_object(*QUEUES, queue)
    custom.patch_cluster_custom_object(*QUEUES, "q", {"spec": {"cohortName": "c"}})
    assert custom.get_cluster_custom_object(*QUEUES, "q")["spec"]["cohortName"] == "c"
    custom.patch_cluster_custom_object_status(*QUEUES, "q", {"status": {"pendingWorkloads": 3}})
    assert custom.get_cluster_custom_object(*QUEUES, "q")["status"]["pendingWorkloads"] == 3
    custom.delete_cluster_custom_object(*QUEUES, "q")
    assert custom.list_cluster_custom_object(*QUEUES)["items"] == []


def server_side_apply():
    api = dynamic.DynamicClient(client.ApiClient()).resources.get(api_version="v1", kind="ConfigMap")
    body = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "m"},
        "data": {"a": "1"},
    }
    api.server_side_apply(body=body, name="m", namespace="team", field_manager="python")
    body["data"] = {"b": "2"}
    after = api.server_side_apply(body=body, name="m", namespace="team", field_manager="python")
    assert dict(after.data) == {"b": "2"}, after.data
    managers = [entry.manager for entry in after.metadata.managedFields]
    assert managers == ["python"], managers


def deletions():
    batch.delete_collection_namespaced_job("team", propagation_policy="Background")
    assert batch.list_namespaced_job("team").items == []
    core.delete_namespace("team")


assert client.VersionApi().get_code().major == "1"
for step in (typed_objects, lists, watches, custom_objects, server_side_apply, deletions):
    step()
    print(step.__name__, "ok")
