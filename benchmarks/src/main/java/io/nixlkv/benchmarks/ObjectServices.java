package io.nixlkv.benchmarks;

import java.io.PrintWriter;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The object stores of a run: those the user named, else servers of its own.
 *
 * @param s3 URL of a bucket; empty for a MinIO of its own, null for none
 * @param azure a connection string, or {@code environment}; empty for an Azurite of its own, null for none
 * @param environment where credentials are
 */
record ObjectServices(ObjectRun run, String s3, String azure, Map<String, String> environment) {
    private static final String DEFAULT_CONTAINER = "nixlkv-compare";
    private static final String FROM_ENVIRONMENT = "environment";

    /**
     * Measures on all of them.
     *
     * @throws IllegalArgumentException if what the user named is incomplete
     */
    Report run(Match.Rules rules, PrintWriter out) {
        List<ObjectService> services = given();
        if (Optional.ofNullable(s3).filter(String::isEmpty).isEmpty()
                && Optional.ofNullable(azure).filter(String::isEmpty).isEmpty()) {
            return measured(rules, out, services, Optional.empty());
        }
        CpuSplit cpus = CpuSplit.of(Conditions.cpus());
        cpus.pinThisProcess();
        try (LocalServers servers = new LocalServers(run.peers(), cpus, rules.directory())) {
            if ("".equals(s3)) {
                services.add(servers.minio());
            }
            if ("".equals(azure)) {
                services.add(servers.azurite());
            }
            return measured(rules, out, services, Optional.of(cpus));
        }
    }

    /** What the user named. */
    List<ObjectService> given() {
        List<ObjectService> services = new ArrayList<>();
        if (s3 != null && !s3.isEmpty()) {
            URI place = URI.create(s3);
            if (place.getHost() == null || place.getPath().length() < 2 || place.getUserInfo() != null) {
                throw new IllegalArgumentException(
                        "--s3 takes a URL with a bucket and without credentials, such as http://127.0.0.1:9000/bucket");
            }
            String endpoint = place.getScheme() + "://" + place.getAuthority();
            services.add(ObjectService.s3(
                    "as given",
                    endpoint,
                    place.getPath().substring(1),
                    needed("AWS_ACCESS_KEY_ID"),
                    needed("AWS_SECRET_ACCESS_KEY")));
        }
        if (azure != null && !azure.isEmpty()) {
            String text = azure.equals(FROM_ENVIRONMENT) ? needed("AZURE_STORAGE_CONNECTION_STRING") : azure;
            String container = environment.getOrDefault("AZURE_STORAGE_CONTAINER_NAME", DEFAULT_CONTAINER);
            services.add(ObjectService.azure("as given", new AzureConnection(text), container));
        }
        return services;
    }

    private String needed(String variable) {
        String value = environment.getOrDefault(variable, "");
        if (value.isEmpty()) {
            throw new IllegalArgumentException(variable + " is not set");
        }
        return value;
    }

    private Report measured(Match.Rules rules, PrintWriter out, List<ObjectService> services, Optional<CpuSplit> cpus) {
        Progress progress = new Progress(out, run.stop(), run.steps(services));
        progress.say("this takes a minute or two for each batch on each store");
        Match match = new Match(rules, progress);
        List<Cell> cells = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        boolean complete = true;
        try {
            for (ObjectService service : services) {
                try {
                    run.run(service, match, cells::add);
                } finally {
                    clean(service, notes);
                }
            }
        } catch (Stop.StoppedException e) {
            complete = false;
        }
        return new Report(Conditions.of(rules, run.conditions(services, cpus), cells), cells, notes, complete);
    }

    /** Costs no figures when it fails: the server may have been ended together with the run. */
    private void clean(ObjectService service, List<String> notes) {
        try {
            int removed = run.clean(service);
            if (removed > 0) {
                notes.add(removed + " objects that were left in " + service + " were removed");
            }
        } catch (ContenderException e) {
            notes.add("objects below nixlkv-compare/ may be left in " + service + ": " + e.getMessage());
        }
    }
}
